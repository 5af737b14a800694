import { sql } from "drizzle-orm";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";

/** Ledger units of outpoints ("txid:n") that are outputs of our deposits or of our own transactions, as far as they are known. */
export async function findSpentAmounts(
  db: Db | Tx,
  { env, network, addresses: { outputs } }: Pick<NetworkAdapter, "env" | "network" | "addresses">,
  spends: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  if (!outputs || spends.length === 0) return new Map();
  const hashes = sqlArray([...new Set(spends.map((outpoint) => outpoint.split(":")[0] ?? ""))], "text");
  const { rows: received } = await db.execute<{ outpoint: string; amount: string }>(sql`
    select tx_hash || ':' || position as outpoint, amount::text as amount from deposits
    where env = ${env} and network = ${network} and tx_hash = any(${hashes})`);
  const { rows: own } = await db.execute<{ hash: string; raw: string }>(sql`
    select hash, raw from outgoing_transactions
    where env = ${env} and network = ${network} and hash = any(${hashes})`);
  return new Map([
    ...received.map(({ outpoint, amount }) => [outpoint, BigInt(amount)] as const),
    ...own.flatMap(({ hash, raw }) =>
      outputs.read(raw).map(({ amount }, position) => [`${hash}:${position}`, amount] as const),
    ),
  ]);
}

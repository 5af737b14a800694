import { and, asc, count, desc, eq, gte, lt, ne, or, sql } from "drizzle-orm";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { outgoingTransactions } from "../tables.ts";
import type { OutgoingRow } from "../types.ts";

/** Where a page of transactions ends. */
export type OutgoingPlace = Pick<OutgoingRow, "createdAt" | "hash">;

/**
 * Lists what the signer did with the operator's own money: sweeps, transfers to cold accounts, and the like, newest first. Payouts are left
 * out: their withdrawals have them. `before`: only those after this one in the list.
 */
export function listMoves(
  db: Db,
  env: Env,
  { before, limit }: { readonly before: OutgoingPlace | null; readonly limit: number },
): Promise<OutgoingRow[]> {
  const { createdAt, hash, kind } = outgoingTransactions;
  const isBefore =
    before &&
    or(lt(createdAt, before.createdAt), and(eq(createdAt, before.createdAt), lt(hash, before.hash)));
  return (
    db
      .select()
      .from(outgoingTransactions)
      // The same condition as in the index outgoing_moves.
      .where(and(eq(outgoingTransactions.env, env), ne(kind, "payout"), isBefore ?? undefined))
      .orderBy(desc(createdAt), desc(hash))
      .limit(limit)
  );
}

/** Network fees of one network. */
export interface NetworkCosts {
  readonly network: NetworkCode;
  readonly transactions: number;
  /** Ledger units of the network's coin. */
  readonly fee: bigint;
}

/** Sums the costs of the signer's transactions that became final since a time, by network. */
export async function sumCosts(db: Db, env: Env, since: Date): Promise<NetworkCosts[]> {
  const { network, fee, settledAt, outcome } = outgoingTransactions;
  const rows = await db
    .select({ network, transactions: count(), fee: sql<string>`sum(${fee})` })
    .from(outgoingTransactions)
    .where(and(eq(outgoingTransactions.env, env), eq(outcome, "final"), gte(settledAt, since)))
    .groupBy(network)
    .orderBy(asc(network));
  return rows.map((row) => ({ ...row, fee: BigInt(row.fee) }));
}

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

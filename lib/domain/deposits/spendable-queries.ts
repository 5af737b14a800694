import { and, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { depositLiteral } from "#lib/domain/deposit-status.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { deposits } from "./tables.ts";

/** A credited output of a UTXO network. Nothing in it is proven, and it may be spent: a node is asked before it is used. */
export interface SpendableDeposit {
  readonly id: number;
  readonly txHash: string;
  readonly position: number;
  /** Ledger units. */
  readonly amount: bigint;
  /** The address's number below the account key. */
  readonly index: number;
  readonly blockHeight: number | null;
  readonly blockHash: string | null;
  readonly confirmedAt: Date;
}

interface Queue {
  readonly env: Env;
  readonly network: NetworkCode;
}

const select = (db: Db, { env, network }: Queue, more: SQL | undefined) =>
  db
    .select({
      id: deposits.id,
      txHash: deposits.txHash,
      position: deposits.position,
      amount: deposits.amount,
      index: addresses.index,
      blockHeight: deposits.blockHeight,
      blockHash: deposits.blockHash,
      confirmedAt: sql`${deposits.confirmedAt}`.mapWith(deposits.confirmedAt),
    })
    .from(deposits)
    .innerJoin(addresses, eq(addresses.id, deposits.addressId))
    .where(
      and(
        eq(deposits.env, env),
        eq(deposits.network, network),
        // The same condition as in the index deposits_spendable.
        sql`${deposits.status} = ${depositLiteral("credited")} and ${deposits.network} in ('bitcoin', 'litecoin', 'dogecoin')`,
        isNotNull(deposits.confirmedAt),
        more,
      ),
    );

/** Lists credited deposits, the latest credited first. `before`: only those credited before this one. */
export function listSpendable(
  db: Db,
  queue: Queue,
  { before, limit }: { readonly before: SpendableDeposit | null; readonly limit: number },
): Promise<SpendableDeposit[]> {
  const isBefore =
    before === null
      ? undefined
      : sql`(${deposits.confirmedAt}, ${deposits.id}) < (${before.confirmedAt.toISOString()}::timestamptz, ${before.id})`;
  return select(db, queue, isBefore).orderBy(desc(deposits.confirmedAt), desc(deposits.id)).limit(limit);
}

/** The credited deposits of these transactions. */
export function listSpendableOf(
  db: Db,
  queue: Queue,
  txHashes: readonly string[],
): Promise<SpendableDeposit[]> {
  return select(db, queue, sql`${deposits.txHash} = any(${sqlArray(txHashes, "text")})`);
}

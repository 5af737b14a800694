import { and, asc, eq, gt, isNull, lte, or, sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { outgoingTransactions } from "../tables.ts";
import type { OutgoingRow, OutgoingTransaction, WithdrawalQueue } from "../types.ts";

/** Stores a signed transaction. A transaction that is stored already is left as it is. */
export async function insertOutgoingTransaction(
  tx: Db | Tx,
  { env, network, hash, raw, kind, spends, moves }: OutgoingTransaction,
  now: Date,
): Promise<void> {
  const values = {
    env,
    network,
    hash,
    raw,
    kind,
    spends: [...spends],
    moves: moves.map((move) => ({ ...move, amount: move.amount.toString() })),
    createdAt: now,
  };
  await tx.insert(outgoingTransactions).values(values).onConflictDoNothing();
}

/** Whether a network has transactions that are not settled. */
export async function hasUnsettled(db: Db, { env, network }: WithdrawalQueue): Promise<boolean> {
  const { env: environment, network: place, settledAt } = outgoingTransactions;
  const rows = await db
    .select({ network: place })
    .from(outgoingTransactions)
    .where(and(eq(environment, env), eq(place, network), isNull(settledAt)))
    .limit(1);
  return rows.length > 0;
}

/**
 * Lists transactions of a network that are not settled, oldest first, after `after`. Leaves out transactions in blocks above the final
 * height `upTo`: nothing can be decided about them yet. Also leaves out transactions whose turn is later.
 */
export function listUnsettled(
  db: Db,
  { env, network }: WithdrawalQueue,
  {
    after,
    upTo,
    now,
    limit,
  }: {
    readonly after: OutgoingRow | null;
    readonly upTo: number;
    readonly now: Date;
    readonly limit: number;
  },
): Promise<OutgoingRow[]> {
  const { createdAt, hash, settledAt, blockHeight, nextAt } = outgoingTransactions;
  const isAfter =
    after && or(gt(createdAt, after.createdAt), and(eq(createdAt, after.createdAt), gt(hash, after.hash)));
  return db
    .select()
    .from(outgoingTransactions)
    .where(
      and(
        eq(outgoingTransactions.env, env),
        eq(outgoingTransactions.network, network),
        isNull(settledAt),
        or(isNull(blockHeight), lte(blockHeight, upTo)),
        or(isNull(nextAt), lte(nextAt, now)),
        isAfter ?? undefined,
      ),
    )
    .orderBy(asc(createdAt), asc(hash))
    .limit(limit);
}

const isRow = ({ env, network, hash }: OutgoingRow) =>
  and(
    eq(outgoingTransactions.env, env),
    eq(outgoingTransactions.network, network),
    eq(outgoingTransactions.hash, hash),
    isNull(outgoingTransactions.settledAt),
  );

/** Locks a transaction that is not settled. Returns false if another worker has settled it. */
export async function lockUnsettled(tx: Tx, row: OutgoingRow): Promise<boolean> {
  const { hash } = outgoingTransactions;
  const locked = await tx.select({ hash }).from(outgoingTransactions).where(isRow(row)).for("update");
  return locked.length > 0;
}

/** Updates a transaction that is not settled. Returns false if another worker has settled it. */
export async function updateUnsettled(
  db: Db | Tx,
  row: OutgoingRow,
  changes: Partial<
    Pick<OutgoingRow, "spends" | "block" | "blockHeight" | "nextAt" | "settledAt" | "outcome" | "fee">
  >,
): Promise<boolean> {
  const { rowCount } = await db.update(outgoingTransactions).set(changes).where(isRow(row));
  return (rowCount ?? 0) > 0;
}

/** Returns whether a final transaction of the signer has used what these spend. */
export async function isSpentByFinal(
  db: Db,
  { env, network }: WithdrawalQueue,
  spends: readonly string[],
): Promise<boolean> {
  if (spends.length === 0) return false;
  const { rows } = await db.execute(sql`
    select 1 from outgoing_transactions where outcome = 'final' and spends && ${sqlArray(spends, "text")}
      and env = ${env} and network = ${network} limit 1`);
  return rows.length > 0;
}

import { and, asc, eq, inArray, ne, or, sql } from "drizzle-orm";
import {
  OPEN_STATUSES,
  statusLiteral,
  statusLiterals,
  toStatusNumber,
} from "#lib/domain/withdrawal-status.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { selectPayableRows, selectWithdrawalRows } from "./queries.ts";
import { payoutSignatures, withdrawalApprovals, withdrawalPolicies, withdrawals } from "./tables.ts";
import type { PayableRow, SubmittedTransaction, Withdrawal, WithdrawalRow } from "./types.ts";

export type NewWithdrawal = Omit<typeof withdrawals.$inferInsert, "createdAt" | "updatedAt">;

/** Inserts a withdrawal and returns its row. null if its merchant has one with this idempotency key, or its reference is taken. */
export async function insertWithdrawal(tx: Tx, values: NewWithdrawal, now: Date): Promise<Withdrawal | null> {
  const [row] = await tx
    .insert(withdrawals)
    .values({ ...values, createdAt: now, updatedAt: now })
    .onConflictDoNothing()
    .returning();
  return row ?? null;
}

/** Whether another merchant's withdrawal has this reference. */
export async function isTakenByOther(
  tx: Tx,
  { refid, merchantId }: Pick<Withdrawal, "refid" | "merchantId">,
): Promise<boolean> {
  const isOther = and(eq(withdrawals.refid, refid), ne(withdrawals.merchantId, merchantId));
  return (await tx.select({ id: withdrawals.id }).from(withdrawals).where(isOther)).length > 0;
}

/** Locks a withdrawal of a merchant until the transaction ends. Returns null when the merchant has none with this reference. */
export async function lockOwnWithdrawal(
  tx: Tx,
  { merchantId, env, refid }: Pick<Withdrawal, "merchantId" | "env" | "refid">,
): Promise<WithdrawalRow | null> {
  const { merchantId: merchant, env: environment, refid: reference } = withdrawals;
  const [row] = await selectWithdrawalRows(tx)
    .where(and(eq(merchant, merchantId), eq(environment, env), eq(reference, refid)))
    .for("update", { of: withdrawals });
  return row ?? null;
}

/** Locks the withdrawal until the transaction ends. Returns null when there is none. */
export async function lockWithdrawal(tx: Tx, id: number): Promise<WithdrawalRow | null> {
  const [row] = await selectWithdrawalRows(tx)
    .where(eq(withdrawals.id, id))
    .for("update", { of: withdrawals });
  return row ?? null;
}

/**
 * Locks the withdrawal and those that have this hash, in the order of their ids: two settlements of swapped hashes wait
 * for each other.
 */
export async function lockHashHolders(tx: Tx, { id, env, network }: Withdrawal, hash: string): Promise<void> {
  const isHolder = and(
    eq(withdrawals.env, env),
    eq(withdrawals.network, network),
    eq(withdrawals.txHash, hash),
  );
  await tx
    .select({ id: withdrawals.id })
    .from(withdrawals)
    .where(or(eq(withdrawals.id, id), isHolder))
    .orderBy(asc(withdrawals.id))
    .for("update");
}

/** Locks withdrawals in the order of their ids. Withdrawals that another transaction has locked are left out. */
export function lockForPayment(tx: Tx, ids: readonly number[]): Promise<PayableRow[]> {
  return selectPayableRows(tx)
    .where(inArray(withdrawals.id, [...ids]))
    .orderBy(asc(withdrawals.id))
    .for("update", { of: withdrawals, skipLocked: true });
}

type Changes = Partial<
  Pick<
    Withdrawal,
    | "status"
    | "amount"
    | "txHash"
    | "transactions"
    | "finding"
    | "failureReason"
    | "approvedAt"
    | "processedAt"
  >
>;

/** Updates a withdrawal. */
export async function updateWithdrawal(tx: Tx, id: number, changes: Changes, now: Date): Promise<void> {
  await tx
    .update(withdrawals)
    .set({ ...changes, updatedAt: now })
    .where(eq(withdrawals.id, id));
}

/**
 * Appends a submitted transaction to locked withdrawals, each with its next status. It becomes their transaction hash. The finding
 * about the earlier ones is cleared.
 */
export async function appendTransaction(
  tx: Tx,
  rows: readonly Pick<Withdrawal, "id" | "status">[],
  transaction: SubmittedTransaction,
  now: Date,
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const statuses = rows.map(({ status }) => toStatusNumber(status));
  await tx.execute(sql`
    update withdrawals w set status = r.status, tx_hash = ${transaction.hash}, finding = null, failure_reason = null,
      transactions = w.transactions || ${JSON.stringify([transaction])}::jsonb, updated_at = ${now.toISOString()}::timestamptz
    from unnest(${sqlArray(ids, "bigint")}, ${sqlArray(statuses, "integer")}) r (id, status) where w.id = r.id`);
}

/** Stores what a check found on the chain. `updatedAt` stays: the withdrawal itself has not changed. */
export async function updateFinding(
  tx: Tx,
  id: number,
  found: Pick<Withdrawal, "transactions" | "finding" | "failureReason">,
): Promise<void> {
  await tx.update(withdrawals).set(found).where(eq(withdrawals.id, id));
}

/**
 * Returns whether another withdrawal to the same address uses the transaction. One payment never counts twice. `proven`:
 * a final block proves that it pays exactly this withdrawal's amount. So open withdrawals of another amount cannot use it.
 */
export async function isHashTaken(
  db: Db | Tx,
  { id, env, network, token, toAddress, amount }: Withdrawal,
  hash: string,
  { proven = false } = {},
): Promise<boolean> {
  const submitted = JSON.stringify([{ hash }]);
  const isAnother = sql`to_address = ${toAddress} and id <> ${id}
    and not (${proven} and status = ${statusLiteral("processing")} and token = ${token} and amount <> ${amount})`;
  // One branch for each index.
  const { rows: found } = await db.execute(sql`
    select 1 from withdrawals where env = ${env} and network = ${network} and tx_hash = ${hash} and ${isAnother}
    union all
    select 1 from withdrawals where env = ${env} and network = ${network} and status in ${statusLiterals(OPEN_STATUSES)}
      and transactions @> ${submitted}::jsonb and ${isAnother}
    limit 1`);
  return found.length > 0;
}

/**
 * Takes the hash of a final transaction, which pays exactly the amount of this withdrawal, from the withdrawals to the
 * same address that it was submitted for by mistake: it can never pay another amount. They keep it as a submitted
 * transaction, so they stay in review. Returns whose they are.
 */
export async function releaseHash(
  tx: Tx,
  { id, env, network, token, toAddress, amount }: Withdrawal,
  hash: string,
): Promise<Pick<Withdrawal, "refid" | "merchantId">[]> {
  return tx
    .update(withdrawals)
    .set({ txHash: null })
    .where(
      and(
        eq(withdrawals.env, env),
        eq(withdrawals.network, network),
        eq(withdrawals.txHash, hash),
        eq(withdrawals.toAddress, toAddress),
        eq(withdrawals.token, token),
        eq(withdrawals.status, "processing"),
        ne(withdrawals.amount, amount),
        ne(withdrawals.id, id),
      ),
    )
    .returning({ refid: withdrawals.refid, merchantId: withdrawals.merchantId });
}

/** Returns whether another withdrawal refunds this failed one. */
export async function isRefunded(tx: Tx, id: number): Promise<boolean> {
  const found = await tx.select({ id: withdrawals.id }).from(withdrawals).where(eq(withdrawals.refundOf, id));
  return found.length > 0;
}

/** Stores a person's approval. Their newest one counts. */
export async function upsertApproval(tx: Tx, row: typeof withdrawalApprovals.$inferInsert): Promise<void> {
  const { withdrawalId, userId } = withdrawalApprovals;
  const { assertion, createdAt } = row;
  await tx
    .insert(withdrawalApprovals)
    .values(row)
    .onConflictDoUpdate({ target: [withdrawalId, userId], set: { assertion, createdAt } });
}

export async function upsertPolicy(
  tx: Tx,
  { merchantId, secondPerson }: { readonly merchantId: number; readonly secondPerson: boolean },
  now: Date,
): Promise<void> {
  await tx
    .insert(withdrawalPolicies)
    .values({ merchantId, secondPerson, updatedAt: now })
    .onConflictDoUpdate({ target: withdrawalPolicies.merchantId, set: { secondPerson, updatedAt: now } });
}

export async function upsertPayoutSignature(
  tx: Tx,
  { withdrawalId, approver, signature }: Omit<typeof payoutSignatures.$inferInsert, "createdAt">,
  now: Date,
): Promise<void> {
  await tx
    .insert(payoutSignatures)
    .values({ withdrawalId, approver, signature, createdAt: now })
    .onConflictDoUpdate({
      target: [payoutSignatures.withdrawalId, payoutSignatures.approver],
      set: { signature, createdAt: now },
    });
}

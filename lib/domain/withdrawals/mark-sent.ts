import { getFamily } from "#lib/chains/families.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { isUniqueViolation, type Tx } from "#lib/platform/db/connection.ts";
import type { WithdrawalDeps } from "./create-withdrawal.ts";
import {
  newSubmittedTransaction,
  toSubmittedTransaction,
  tryObserveTransactions,
} from "./observe-transactions.ts";
import { canPayExactly } from "./outcome-rules.ts";
import { findWithdrawalByRefid } from "./queries.ts";
import { nextWithdrawalStatus, type TransitionRefusal } from "./rules.ts";
import { isHashTaken, lockWithdrawal, updateWithdrawal } from "./store.ts";
import type { SubmittedTransaction, WithdrawalRow } from "./types.ts";

/** A transaction that a person or a signer has broadcast for a withdrawal. */
export interface TransactionSubmission {
  readonly env: Env;
  readonly refid: string;
  /** The hash as a person wrote it. */
  readonly txHash: string;
  /** For the audit log. */
  readonly actor: string;
}

export type SubmissionRefusal =
  | "withdrawal_not_found"
  | "tx_hash_malformed"
  | "tx_hash_taken"
  | "transaction_amount_mismatch"
  | "approval_missing"
  | TransitionRefusal;

/**
 * Stores the hash of the transaction that was broadcast for a pending withdrawal. From then on the worker follows it on
 * the chain, and the withdrawal cannot fail while the transaction can pay. A transaction that pays another amount is
 * refused, and one for a withdrawal that a second person has yet to approve. A transaction that no node knows yet is
 * accepted, and so is one when no node answers.
 */
export async function markSent(
  { db, networks }: WithdrawalDeps,
  { env, refid, txHash, actor }: TransactionSubmission,
  now: Date,
): Promise<{ ok: true; withdrawal: WithdrawalRow } | { ok: false; reason: SubmissionRefusal }> {
  const found = await findWithdrawalByRefid(db, { env, refid, merchantId: null });
  if (found === null) return { ok: false, reason: "withdrawal_not_found" };
  const hash = getFamily(found.network).canonicalizeTransactionHash(txHash);
  if (hash === null) return { ok: false, reason: "tx_hash_malformed" };
  const allowed = nextWithdrawalStatus(found.status, "sent");
  if (!allowed.ok) return allowed;
  const observed = await tryObserveTransactions(networks.find(env, found.network), [
    newSubmittedTransaction(hash, now),
  ]);
  const observation = observed.ok ? observed.observation.transactions[0] : undefined;
  if (observation && !canPayExactly(found, observation))
    return { ok: false, reason: "transaction_amount_mismatch" };
  const transaction = observation ? toSubmittedTransaction(observation) : newSubmittedTransaction(hash, now);
  return refuseTakenHash(() =>
    db.transaction(async (tx) => {
      const locked = await lockWithdrawal(tx, found.id);
      const moved = nextWithdrawalStatus(locked?.status ?? found.status, "sent");
      if (!moved.ok) return moved;
      if (locked?.needsApproval && locked.approvedAt === null)
        return { ok: false, reason: "approval_missing" } as const;
      if (await isHashTaken(tx, found, hash)) return { ok: false, reason: "tx_hash_taken" } as const;
      await updateSubmittedTransactions(
        tx,
        found.id,
        { status: moved.status, transactions: [transaction] },
        now,
      );
      const entry = { actor, action: "withdrawal.sent", subject: `withdrawal:${refid}` };
      await recordDecision(tx, { ...entry, details: { env, tx_hash: hash } }, now);
      return returnUpdated(tx, found.id);
    }),
  );
}

/**
 * Stores the submitted transactions of a withdrawal. The newest, the last one, becomes its transaction hash. What was
 * found about the earlier ones no longer holds.
 */
export function updateSubmittedTransactions(
  tx: Tx,
  id: number,
  {
    status,
    transactions,
  }: {
    readonly status: WithdrawalRow["status"];
    readonly transactions: readonly SubmittedTransaction[];
  },
  now: Date,
): Promise<void> {
  const txHash = transactions.at(-1)?.hash ?? null;
  return updateWithdrawal(tx, id, { status, txHash, transactions, finding: null, failureReason: null }, now);
}

/** Returns the withdrawal after an update, for the response. */
export async function returnUpdated(tx: Tx, id: number): Promise<{ ok: true; withdrawal: WithdrawalRow }> {
  const withdrawal = await lockWithdrawal(tx, id);
  if (withdrawal === null) throw new Error(`withdrawal ${id} does not exist`);
  return { ok: true, withdrawal };
}

/** Runs `work` and returns a refusal when a concurrent request has submitted the same hash (a unique index). */
export async function refuseTakenHash<T>(
  work: () => Promise<T>,
): Promise<T | { ok: false; reason: "tx_hash_taken" }> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error)) return { ok: false, reason: "tx_hash_taken" };
    throw error;
  }
}

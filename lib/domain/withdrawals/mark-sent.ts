import { getFamily } from "#lib/chains/families.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { isDatabaseError, type Tx } from "#lib/platform/db/connection.ts";
import type { WithdrawalDeps } from "./create-withdrawal.ts";
import {
  newSubmittedTransaction,
  toSubmittedTransaction,
  tryObserveTransactions,
} from "./observe-transactions.ts";
import { canPayExactly } from "./outcome-rules.ts";
import { nextWithdrawalStatus, type TransitionRefusal } from "./rules.ts";
import { findWithdrawalByRefid, isHashTaken, lockWithdrawal, updateWithdrawal } from "./store.ts";
import type { SubmittedTransaction, WithdrawalRow } from "./types.ts";

/** A transaction named for a withdrawal by whoever broadcast it: a person, or a signer. */
export interface TransactionSubmission {
  readonly env: Env;
  readonly refid: string;
  /** As written by a person. */
  readonly txHash: string;
  /** For the audit log. */
  readonly actor: string;
}

export type SubmissionRefusal =
  | "withdrawal_not_found"
  | "tx_hash_malformed"
  | "tx_hash_taken"
  | "transaction_amount_mismatch"
  | TransitionRefusal;

/**
 * Notes the hash of the transaction that was broadcast for a pending withdrawal: from then on it is followed on the
 * chain, and cannot be failed while that transaction could pay. One that the node shows to pay something else is
 * refused; one that it does not know yet, or no node at all, is no hindrance.
 */
export async function markSent(
  { db, networks }: WithdrawalDeps,
  { env, refid, txHash, actor }: TransactionSubmission,
  now: Date,
): Promise<{ ok: true; withdrawal: WithdrawalRow } | { ok: false; reason: SubmissionRefusal }> {
  const found = await findWithdrawalByRefid(db, env, refid);
  if (found === null) return { ok: false, reason: "withdrawal_not_found" };
  const hash = getFamily(found.network).canonicalizeTransactionHash(txHash);
  if (hash === null) return { ok: false, reason: "tx_hash_malformed" };
  const allowed = nextWithdrawalStatus(found.status, "sent");
  if (!allowed.ok) return allowed;
  const looked = await tryObserveTransactions(networks.find(env, found.network), [
    newSubmittedTransaction(hash, now),
  ]);
  const observation = looked.ok ? looked.observation.transactions[0] : undefined;
  if (observation && !canPayExactly(found, observation))
    return { ok: false, reason: "transaction_amount_mismatch" };
  const transaction = observation ? toSubmittedTransaction(observation) : newSubmittedTransaction(hash, now);
  return refuseTakenHash(() =>
    db.transaction(async (tx) => {
      const locked = await lockWithdrawal(tx, found.id);
      const moved = nextWithdrawalStatus(locked?.status ?? found.status, "sent");
      if (!moved.ok) return moved;
      if (await isHashTaken(tx, found, hash)) return { ok: false, reason: "tx_hash_taken" } as const;
      await updateSubmittedTransactions(tx, found.id, moved.status, [transaction], now);
      const entry = { actor, action: "withdrawal.sent", subject: `withdrawal:${refid}` };
      await recordDecision(tx, { ...entry, details: { env, tx_hash: hash } }, now);
      return returnUpdated(tx, found.id);
    }),
  );
}

/** The newest of `transactions` is the one that stands for it. */
export function updateSubmittedTransactions(
  tx: Tx,
  id: number,
  status: WithdrawalRow["status"],
  transactions: readonly SubmittedTransaction[],
  now: Date,
): Promise<void> {
  const txHash = transactions.at(-1)?.hash ?? null;
  return updateWithdrawal(tx, id, { status, txHash, transactions }, now);
}

/** The row as it stands now. */
export async function returnUpdated(tx: Tx, id: number): Promise<{ ok: true; withdrawal: WithdrawalRow }> {
  const withdrawal = await lockWithdrawal(tx, id);
  if (withdrawal === null) throw new Error(`withdrawal ${id} is gone`);
  return { ok: true, withdrawal };
}

/** Two who name one hash at once: the database lets one of them. */
export async function refuseTakenHash<T>(
  work: () => Promise<T>,
): Promise<T | { ok: false; reason: "tx_hash_taken" }> {
  try {
    return await work();
  } catch (error) {
    if (isDatabaseError(error, "23505")) return { ok: false, reason: "tx_hash_taken" };
    throw error;
  }
}

import { getFamily } from "#lib/chains/families.ts";
import { findTransactionNetwork } from "#lib/chains/network.ts";
import { defineVerb, done, type Refusal, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Act } from "#lib/domain/authority/types.ts";
import { isUniqueViolation, type Tx } from "#lib/platform/db/connection.ts";
import { waitsForApproval } from "../approve/approval-rules.ts";
import {
  newSubmittedTransaction,
  toSubmittedTransaction,
  tryObserveTransactions,
} from "../observe/observe-transactions.ts";
import { canPayExactly } from "../observe/outcome-rules.ts";
import { nextWithdrawalStatus, type TransitionRefusal } from "../rules.ts";
import { isHashTaken, lockOwnWithdrawal, lockWithdrawal, updateWithdrawal } from "../store.ts";
import type { SubmittedTransaction, WithdrawalDeps, WithdrawalRow } from "../types.ts";

export type SubmissionRefusal =
  | "withdrawal_not_found"
  | "tx_hash_malformed"
  | "tx_hash_taken"
  | "transaction_amount_mismatch"
  | "approval_missing"
  | TransitionRefusal;

/** The hash of a transaction as a person wrote it. */
export interface GivenHash {
  readonly txHash: string;
}

/**
 * Asks a node about the transaction that was broadcast for a pending withdrawal. A transaction that pays another amount is
 * refused. A transaction that no node knows yet is accepted, and so is one when no node answers.
 */
export async function prepareSent(
  { networks }: WithdrawalDeps,
  found: WithdrawalRow,
  { txHash }: GivenHash,
  now: Date,
): Promise<{ ok: true; transaction: SubmittedTransaction } | { ok: false; reason: SubmissionRefusal }> {
  const hash = getFamily(found.network).canonicalizeTransactionHash(txHash);
  if (hash === null) return { ok: false, reason: "tx_hash_malformed" };
  const allowed = nextWithdrawalStatus(found.status, "sent");
  if (!allowed.ok) return allowed;
  const observed = await tryObserveTransactions(findTransactionNetwork(networks, found), [
    newSubmittedTransaction(hash, now),
  ]);
  const observation = observed.ok ? observed.observation.transactions[0] : undefined;
  if (observation && !canPayExactly(found, observation))
    return { ok: false, reason: "transaction_amount_mismatch" };
  const transaction = observation ? toSubmittedTransaction(observation) : newSubmittedTransaction(hash, now);
  return { ok: true, transaction };
}

/**
 * Stores the transaction that was broadcast for a pending withdrawal, as prepareSent found it. From then on the worker follows it on
 * the chain, and the withdrawal cannot fail while the transaction can pay. Refused while an owner or manager has yet to approve the withdrawal.
 */
export const markSent = defineVerb(
  "withdrawal.sent",
  (act, { refid, transaction }: { readonly refid: string; readonly transaction: SubmittedTransaction }) =>
    storeSubmitted(act, { refid, event: "sent", hash: transaction.hash }, (locked) =>
      waitsForApproval(locked)
        ? refuse("approval_missing")
        : { ok: true, transactions: [transaction], details: {} },
    ),
);

/** The submitted transactions of a withdrawal from now on, the new one last, and what the audit entry says of the earlier ones. */
interface Submission {
  readonly ok: true;
  readonly transactions: readonly SubmittedTransaction[];
  readonly details: Record<string, string | null>;
}

/**
 * Stores a submitted transaction of a locked withdrawal, unless `decide` refuses. Its hash becomes the withdrawal's transaction hash. The
 * finding about the earlier ones is cleared.
 */
export async function storeSubmitted<Reason extends string>(
  { tx, now, merchantId, env }: Act,
  {
    refid,
    event,
    hash,
  }: { readonly refid: string; readonly event: "sent" | "replaced"; readonly hash: string },
  decide: (locked: WithdrawalRow) => Submission | Refusal<Reason>,
) {
  const locked = await lockOwnWithdrawal(tx, { merchantId, env, refid });
  if (locked === null) return refuse("withdrawal_not_found");
  const moved = nextWithdrawalStatus(locked.status, event);
  if (!moved.ok) return refuse(moved.reason);
  const decided = decide(locked);
  if (!decided.ok) return decided;
  if (await isHashTaken(tx, locked, hash)) return refuse("tx_hash_taken");
  const { transactions } = decided;
  const changes = { status: moved.status, txHash: hash, transactions, finding: null, failureReason: null };
  if (!(await isHashFree(() => updateWithdrawal(tx, locked.id, changes, now))))
    return refuse("tx_hash_taken");
  const details = { env, tx_hash: hash, ...decided.details };
  return done(await getUpdated(tx, locked.id), { subject: `withdrawal:${refid}`, details });
}

/** Runs `work`, which stores a hash. False if a concurrent request has submitted the same hash (a unique index): the transaction is then over. */
export async function isHashFree(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** The withdrawal after an update, as a verb returns it. */
export async function getUpdated(tx: Tx, id: number): Promise<{ readonly withdrawal: WithdrawalRow }> {
  const withdrawal = await lockWithdrawal(tx, id);
  if (withdrawal === null) throw new Error(`withdrawal ${id} does not exist`);
  return { withdrawal };
}

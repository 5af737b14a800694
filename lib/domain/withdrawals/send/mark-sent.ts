import { getFamily } from "#lib/chains/families.ts";
import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
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
  const observed = await tryObserveTransactions(networks.find(found.env, found.network), [
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
 * the chain, and the withdrawal cannot fail while the transaction can pay. Refused while a second person has yet to approve the withdrawal.
 */
export const markSent = defineVerb(
  "withdrawal.sent",
  async (
    { tx, now, merchantId, env },
    { refid, transaction }: { readonly refid: string; readonly transaction: SubmittedTransaction },
  ) => {
    const { hash } = transaction;
    const locked = await lockOwnWithdrawal(tx, { merchantId, env, refid });
    if (locked === null) return refuse("withdrawal_not_found");
    const moved = nextWithdrawalStatus(locked.status, "sent");
    if (!moved.ok) return refuse(moved.reason);
    if (waitsForApproval(locked)) return refuse("approval_missing");
    if (await isHashTaken(tx, locked, hash)) return refuse("tx_hash_taken");
    const submitted = { status: moved.status, transactions: [transaction] };
    if (!(await storeTransactions(tx, locked.id, submitted, now))) return refuse("tx_hash_taken");
    const details = { env, tx_hash: hash };
    return done(await getUpdated(tx, locked.id), { subject: `withdrawal:${refid}`, details });
  },
);

/**
 * Stores the submitted transactions of a withdrawal. The newest, the last one, becomes its transaction hash. The finding about the
 * earlier ones is cleared. False if a concurrent request has submitted the same hash (a unique index): the transaction is then over.
 */
export function storeTransactions(
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
): Promise<boolean> {
  const txHash = transactions.at(-1)?.hash ?? null;
  const changes = { status, txHash, transactions, finding: null, failureReason: null };
  return isHashFree(() => updateWithdrawal(tx, id, changes, now));
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

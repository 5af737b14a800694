import { getFamily } from "#lib/chains/families.ts";
import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import {
  addObservations,
  type DeathDoubt,
  isKnownToAnyNode,
  newSubmittedTransaction,
  type ObservationRefusal,
  refuseDoubtedDeath,
  toSubmittedTransaction,
  tryObserveTransactions,
} from "../observe/observe-transactions.ts";
import { canPayExactly, canReplaceAll, wasSeen } from "../observe/outcome-rules.ts";
import { nextWithdrawalStatus, type TransitionRefusal } from "../rules.ts";
import { isHashTaken, lockOwnWithdrawal, lockWithdrawal, updateFinding } from "../store.ts";
import type {
  SubmittedTransaction,
  TransactionObservation,
  WithdrawalDeps,
  WithdrawalRow,
} from "../types.ts";
import { type GivenHash, getUpdated, type SubmissionRefusal, storeTransactions } from "./mark-sent.ts";

type CorrectTransactionRefusal =
  | SubmissionRefusal
  | ObservationRefusal
  | "transaction_already_submitted"
  | "transaction_unknown"
  | "transaction_was_seen"
  | DeathDoubt
  | "not_a_replacement"
  | "withdrawal_changed";

type Refusal = { readonly ok: false; readonly reason: CorrectTransactionRefusal };
const refused = (reason: CorrectTransactionRefusal): Refusal => ({ ok: false, reason });

/** The nodes' report for a correction. `earlier` are all stored transactions, the mistyped one last. */
interface Correction {
  readonly earlier: readonly TransactionObservation[];
  readonly corrected: SubmittedTransaction;
}

/**
 * Asks the nodes about the mistyped and the correct transaction. No node may ever have reported the mistyped hash, every node must say now
 * that it does not know it, and one must know the correct transaction: a correction cannot drop a transaction that is on its way. When a
 * node knows the mistyped one, this is stored: no later correction succeeds, whatever the nodes say then.
 */
export async function prepareCorrection(
  deps: WithdrawalDeps,
  found: WithdrawalRow,
  { txHash }: GivenHash,
  now: Date,
): Promise<({ ok: true } & Correction) | Refusal> {
  const { env, network, transactions: former } = found;
  const hash = getFamily(network).canonicalizeTransactionHash(txHash);
  if (hash === null) return refused("tx_hash_malformed");
  const allowed = nextWithdrawalStatus(found.status, "replaced");
  if (!allowed.ok) return allowed;
  if (former.some((one) => one.hash === hash)) return refused("transaction_already_submitted");
  const adapter = deps.networks.find(env, network);
  const observed = await tryObserveTransactions(adapter, [...former, newSubmittedTransaction(hash, now)]);
  if (!observed.ok) return observed;
  const { transactions } = observed.observation;
  const [earlier, corrected, mistyped] = [
    transactions.slice(0, -1),
    transactions.at(-1),
    transactions.at(-2),
  ];
  if (!adapter || !corrected || !mistyped) throw new Error("the transactions were not observed");
  const isKnown = wasSeen(mistyped) || (await isKnownToAnyNode(adapter, mistyped.hash));
  if (isKnown === null) return refused("nodes_incomplete");
  if (isKnown) return refused(await storeSeen(deps, found, earlier));
  if (corrected.onChain === null) return refused("transaction_unknown");
  if (!canPayExactly(found, corrected)) return refused("transaction_amount_mismatch");
  const others = { ...observed.observation, transactions: earlier.slice(0, -1) };
  if (!canReplaceAll(found, corrected, others)) return refused("not_a_replacement");
  const doubt = await refuseDoubtedDeath(adapter, found, others.transactions, corrected);
  if (doubt !== null) return refused(doubt);
  return { ok: true, earlier, corrected: toSubmittedTransaction(corrected) };
}

/** Stores that a node knows the newest submitted transaction. Returns why the correction is refused. */
function storeSeen(
  { db }: WithdrawalDeps,
  { id, status }: WithdrawalRow,
  earlier: readonly TransactionObservation[],
): Promise<"transaction_was_seen" | "withdrawal_changed" | TransitionRefusal> {
  return db.transaction(async (tx) => {
    const locked = await lockWithdrawal(tx, id);
    const allowed = nextWithdrawalStatus(locked?.status ?? status, "replaced");
    if (!allowed.ok) return allowed.reason;
    const stored = locked && addObservations(locked.transactions, earlier);
    const known = stored?.at(-1);
    if (!stored || !known) return "withdrawal_changed";
    const { finding, failureReason } = locked;
    const transactions = [...stored.slice(0, -1), { ...known, seen: true }];
    await updateFinding(tx, id, { transactions, finding, failureReason });
    return "transaction_was_seen";
  });
}

/**
 * Corrects the newest submitted hash of a withdrawal, which was mistyped, as prepareCorrection found it. The mistyped hash is no longer
 * followed.
 */
export const correctTransaction = defineVerb(
  "withdrawal.correct",
  async (
    { tx, now, merchantId, env },
    { refid, earlier, corrected }: Correction & { readonly refid: string },
  ) => {
    const { hash } = corrected;
    const locked = await lockOwnWithdrawal(tx, { merchantId, env, refid });
    if (locked === null) return refuse("withdrawal_not_found");
    const moved = nextWithdrawalStatus(locked.status, "replaced");
    if (!moved.ok) return refuse(moved.reason);
    const stored = addObservations(locked.transactions, earlier);
    const mistyped = stored?.at(-1);
    if (!stored || !mistyped) return refuse("withdrawal_changed");
    // Somebody has meanwhile learned that a node knows it.
    if (mistyped.seen) return refuse("transaction_was_seen");
    if (await isHashTaken(tx, locked, hash)) return refuse("tx_hash_taken");
    const submitted = { status: moved.status, transactions: [...stored.slice(0, -1), corrected] };
    if (!(await storeTransactions(tx, locked.id, submitted, now))) return refuse("tx_hash_taken");
    const details = { env, tx_hash: hash, mistyped: locked.txHash };
    return done(await getUpdated(tx, locked.id), { subject: `withdrawal:${refid}`, details });
  },
);

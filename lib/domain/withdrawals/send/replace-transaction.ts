import { getFamily } from "#lib/chains/families.ts";
import { findTransactionNetwork, type TransactionNetwork } from "#lib/chains/network.ts";
import { defineVerb, refuse } from "#lib/domain/authority/define-verb.ts";
import {
  addObservations,
  type DeathDoubt,
  newSubmittedTransaction,
  type ObservationRefusal,
  refuseDoubtedDeath,
  toSubmittedTransaction,
  tryObserveTransactions,
} from "../observe/observe-transactions.ts";
import { areExclusive, canPayExactly, canReplaceAll } from "../observe/outcome-rules.ts";
import { nextWithdrawalStatus } from "../rules.ts";
import type {
  SubmittedTransaction,
  TransactionObservation,
  WithdrawalDeps,
  WithdrawalObservation,
  WithdrawalRow,
} from "../types.ts";
import { type GivenHash, type SubmissionRefusal, storeSubmitted } from "./mark-sent.ts";

type SuccessorRefusal = SubmissionRefusal | ObservationRefusal | "transaction_already_submitted";
export type ReplaceTransactionRefusal = SuccessorRefusal | DeathDoubt | "not_a_replacement";

/** A transaction that replaces others, or follows dead ones. `earlier` are all stored transactions as a node reported them. */
export interface Replacement {
  readonly successor: SubmittedTransaction;
  readonly earlier: readonly TransactionObservation[];
}

/** Asks a node about the stored transactions of a withdrawal and about another one, which a person submits in addition. */
export async function observeSuccessor(
  { networks }: WithdrawalDeps,
  found: WithdrawalRow,
  { txHash }: GivenHash,
  now: Date,
): Promise<
  | {
      readonly ok: true;
      readonly adapter: TransactionNetwork;
      readonly successor: TransactionObservation;
      readonly earlier: WithdrawalObservation;
    }
  | { readonly ok: false; readonly reason: SuccessorRefusal }
> {
  const hash = getFamily(found.network).canonicalizeTransactionHash(txHash);
  if (hash === null) return { ok: false, reason: "tx_hash_malformed" };
  const allowed = nextWithdrawalStatus(found.status, "replaced");
  if (!allowed.ok) return allowed;
  const former = found.transactions;
  if (former.some((one) => one.hash === hash)) return { ok: false, reason: "transaction_already_submitted" };
  const adapter = findTransactionNetwork(networks, found);
  const observed = await tryObserveTransactions(adapter, [...former, newSubmittedTransaction(hash, now)]);
  if (!observed.ok) return observed;
  const { transactions } = observed.observation;
  const successor = transactions.at(-1);
  if (!adapter || !successor) throw new Error("the successor was not observed");
  const earlier = { ...observed.observation, transactions: transactions.slice(0, -1) };
  return { ok: true, adapter, successor, earlier };
}

/**
 * Asks a node whether a transaction may be submitted in addition to the earlier ones. At most one of them may ever pay. So
 * the successor must spend what every earlier one spends (an outpoint or the sender's nonce), unless it is proven
 * that the earlier one cannot pay. A successor that replaces another may pay something else: this cancels a payment, and
 * once it is final the withdrawal can fail.
 */
export async function prepareReplacement(
  deps: WithdrawalDeps,
  found: WithdrawalRow,
  given: GivenHash,
  now: Date,
): Promise<({ ok: true } & Replacement) | { ok: false; reason: ReplaceTransactionRefusal }> {
  const observed = await observeSuccessor(deps, found, given, now);
  if (!observed.ok) return observed;
  const { adapter, successor, earlier } = observed;
  const refusal =
    replacementRefusal(found, successor, earlier) ??
    (await refuseDoubtedDeath(adapter, found, earlier.transactions, successor));
  if (refusal !== null) return { ok: false, reason: refusal };
  return { ok: true, successor: toSubmittedTransaction(successor), earlier: earlier.transactions };
}

/**
 * Submits another transaction for a withdrawal that is being processed, as prepareReplacement found it. All earlier transactions stay
 * followed. The one that the chain accepts counts.
 */
export const replaceTransaction = defineVerb(
  "withdrawal.replace",
  (act, { refid, successor, earlier }: Replacement & { readonly refid: string }) =>
    storeSubmitted(act, { refid, event: "replaced", hash: successor.hash }, (locked) => {
      const stored = addObservations(locked.transactions, earlier);
      if (stored === null) return refuse("withdrawal_changed");
      return { ok: true, transactions: [...stored, successor], details: { replaces: locked.txHash } };
    }),
);

/** Returns why the successor is refused, or null. */
function replacementRefusal(
  found: WithdrawalRow,
  successor: TransactionObservation,
  earlier: WithdrawalObservation,
): "not_a_replacement" | "transaction_amount_mismatch" | null {
  if (!canReplaceAll(found, successor, earlier)) return "not_a_replacement";
  const replacesOne = earlier.transactions.some((one) => areExclusive(one, successor));
  return replacesOne || canPayExactly(found, successor) ? null : "transaction_amount_mismatch";
}

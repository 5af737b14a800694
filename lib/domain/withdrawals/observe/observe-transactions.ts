import { getFinalHeight } from "#lib/chains/finality-rules.ts";
import type { TransactionNetwork, TransactionReader } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import type { SubmittedTransaction, TransactionObservation, WithdrawalObservation } from "../types.ts";
import {
  areExclusive,
  canReplaceAll,
  type ExpectedPayment,
  evaluateOutcome,
  wasSeen,
} from "./outcome-rules.ts";

/** Why the chain could not be read. */
export type ObservationRefusal = "network_off" | "node_unavailable";

/**
 * Reads these transactions from one node. The head is read first, so that the transactions are never older than the head.
 * Throws NodeError.
 */
export async function observeTransactions(
  adapter: TransactionNetwork,
  transactions: readonly SubmittedTransaction[],
): Promise<WithdrawalObservation> {
  const observation = await adapter.nodes.withOne({ lastBlock: null }, (node) =>
    observeOn(node, adapter, transactions),
  );
  const confirmed: TransactionObservation[] = [];
  for (const one of observation.transactions)
    confirmed.push({ ...one, expired: one.expired && (await hasExpiredForAll(adapter, one)) });
  return { ...observation, transactions: confirmed };
}

/** The same from this node. */
async function observeOn(
  node: TransactionReader,
  { data: { finality } }: Pick<TransactionNetwork, "data">,
  transactions: readonly SubmittedTransaction[],
): Promise<WithdrawalObservation> {
  const head = await node.blocks.fetchHead();
  const final = getFinalHeight(finality, head);
  const observed: TransactionObservation[] = [];
  for (const transaction of transactions) {
    const onChain = await node.transactions.fetchPayments(transaction.hash, transaction.block);
    const since = new Date(transaction.namedAt);
    const expired = onChain === null && final >= 0 && (await node.transactions.hasExpired(since, final));
    observed.push({ ...transaction, onChain, expired });
  }
  return { head, finality, transactions: observed };
}

/** The observation of each node that answers, and whether all do. */
export async function observeOnAnsweringNodes(
  adapter: TransactionNetwork,
  transactions: readonly SubmittedTransaction[],
): Promise<{ readonly said: readonly WithdrawalObservation[]; readonly isComplete: boolean }> {
  const answers = await adapter.nodes.askEach((node) => observeOn(node, adapter, transactions));
  const said = answers.flatMap((answer) => (answer.ok ? [answer.result] : []));
  return { said, isComplete: said.length === answers.length };
}

/**
 * Returns the observation of each node that knows one of these transactions. Money returns to the merchant because of them, or another payment
 * follows them, so one node that errs is not enough. A node that knows none of them is left out. Null: a node does not answer, and it may
 * know them.
 */
export async function observeOnEachNode(
  adapter: TransactionNetwork,
  transactions: readonly SubmittedTransaction[],
): Promise<readonly WithdrawalObservation[] | null> {
  const { said, isComplete } = await observeOnAnsweringNodes(adapter, transactions);
  if (!isComplete) return null;
  return said.filter((one) => one.transactions.some(({ onChain }) => onChain !== null));
}

/** Why a transaction does not count as dead, although the observing node calls it dead. */
export type DeathDoubt = "nodes_incomplete" | "nodes_disagree";

/**
 * Returns why a withdrawal may not fail, although the observing node calls all of its transactions dead: another node knows one of them and
 * does not call them dead, or does not answer. Null: every node agrees.
 */
export async function refuseDoubtedFailure(
  adapter: TransactionNetwork,
  withdrawal: ExpectedPayment & { readonly transactions: readonly SubmittedTransaction[] },
): Promise<DeathDoubt | null> {
  const said = await observeOnEachNode(adapter, withdrawal.transactions);
  if (said === null) return "nodes_incomplete";
  const isAgreed = said.every((one) => evaluateOutcome(withdrawal, one).kind === "unpayable");
  return isAgreed ? null : "nodes_disagree";
}

/**
 * Returns why `successor` may not follow, although the observing node calls the earlier transactions dead that it does not exclude: another
 * node knows one of them as one that pays or may pay, or does not answer. Two of them would then pay. Null: every node agrees.
 */
export async function refuseDoubtedDeath(
  adapter: TransactionNetwork,
  withdrawal: ExpectedPayment,
  earlier: readonly TransactionObservation[],
  successor: TransactionObservation,
): Promise<DeathDoubt | null> {
  if (earlier.every((one) => areExclusive(one, successor))) return null;
  const said = await observeOnEachNode(adapter, earlier.map(toSubmittedTransaction));
  if (said === null) return "nodes_incomplete";
  const isAgreed = said.every((one) => canReplaceAll(withdrawal, successor, leaveOutUnknown(one)));
  return isAgreed ? null : "nodes_disagree";
}

/** A node that does not know a transaction proves nothing about it. */
export function leaveOutUnknown({ transactions, ...rest }: WithdrawalObservation): WithdrawalObservation {
  return { ...rest, transactions: transactions.filter(({ onChain }) => onChain !== null) };
}

/** Money returns to the merchant because of it, so one node's word is not enough. */
async function hasExpiredForAll(
  adapter: TransactionNetwork,
  { hash, namedAt, block }: SubmittedTransaction,
): Promise<boolean> {
  const answers = await adapter.nodes.askEach(async (node) => {
    const final = getFinalHeight(adapter.data.finality, await node.blocks.fetchHead());
    const isUnknown = (await node.transactions.fetchPayments(hash, block)) === null;
    return isUnknown && final >= 0 && (await node.transactions.hasExpired(new Date(namedAt), final));
  });
  return answers.length > 0 && answers.every((answer) => answer.ok && answer.result);
}

/** As observeTransactions, for commands of a person: a failing network is a refusal, not an error. */
export async function tryObserveTransactions(
  adapter: TransactionNetwork | null,
  transactions: readonly SubmittedTransaction[],
): Promise<{ ok: true; observation: WithdrawalObservation } | { ok: false; reason: ObservationRefusal }> {
  if (adapter === null) return { ok: false, reason: "network_off" };
  try {
    return { ok: true, observation: await observeTransactions(adapter, transactions) };
  } catch (error) {
    if (error instanceof NodeError) return { ok: false, reason: "node_unavailable" };
    throw error;
  }
}

/**
 * Returns whether any node of the network knows the transaction. Asks every node, because each knows only what has
 * reached it. Null: no node reported it, and not all of them answered.
 */
export async function isKnownToAnyNode(adapter: TransactionNetwork, hash: string): Promise<boolean | null> {
  const answers = await adapter.nodes.askEach((node) => node.transactions.fetchPayments(hash));
  if (answers.some((answer) => answer.ok && answer.result !== null)) return true;
  return answers.every(({ ok }) => ok) ? false : null;
}

/** A transaction that no node has seen counts as mistyped. Each node knows only what has reached it: all are asked. */
export async function refuseIfKnown(
  adapter: TransactionNetwork,
  others: readonly TransactionObservation[],
): Promise<"other_transaction_may_pay" | "nodes_incomplete" | null> {
  const unreported = others.filter((other) => !wasSeen(other));
  const known = await Promise.all(unreported.map(({ hash }) => isKnownToAnyNode(adapter, hash)));
  if (known.includes(true)) return "other_transaction_may_pay";
  return known.includes(null) ? "nodes_incomplete" : null;
}

/** Returns a submitted transaction of which the chain has reported nothing yet. */
export function newSubmittedTransaction(hash: string, submittedAt: Date): SubmittedTransaction {
  return { hash, namedAt: submittedAt.toISOString(), spends: [], block: null, seen: false };
}

/** Returns what is stored of an observation, for when a node no longer reports it. */
export function toSubmittedTransaction(observation: TransactionObservation): SubmittedTransaction {
  const { hash, namedAt, spends, block, onChain } = observation;
  return {
    hash,
    namedAt,
    spends: onChain === null || onChain.spends.length === 0 ? spends : onChain.spends,
    block: onChain?.block?.hash ?? block,
    seen: wasSeen(observation),
  };
}

/**
 * Returns what is stored after an observation. `stored` was read under the row's lock: another process may have learned
 * more meanwhile. Null when other transactions were submitted meanwhile: the observation is not about this withdrawal's
 * transactions any more.
 */
export function addObservations(
  stored: readonly SubmittedTransaction[],
  observed: readonly TransactionObservation[],
): SubmittedTransaction[] | null {
  const hashes = (list: readonly { readonly hash: string }[]) => list.map(({ hash }) => hash).join();
  if (hashes(stored) !== hashes(observed)) return null;
  return observed.map((one, i) => toSubmittedTransaction({ ...one, ...stored[i] }));
}

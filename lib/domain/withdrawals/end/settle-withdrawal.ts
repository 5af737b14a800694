import { getFamily } from "#lib/chains/families.ts";
import {
  findTransactionNetwork,
  type NetworkRegistry,
  type TransactionNetwork,
} from "#lib/chains/network.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { nameActor } from "#lib/domain/authority/actor.ts";
import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import {
  addObservations,
  leaveOutUnknown,
  newSubmittedTransaction,
  type ObservationRefusal,
  observeOnAnsweringNodes,
  observeOnEachNode,
  refuseIfKnown,
  toSubmittedTransaction,
  tryObserveTransactions,
} from "../observe/observe-transactions.ts";
import { type SettlementRefusal, settlementRefusal, wasSeen } from "../observe/outcome-rules.ts";
import { findWithdrawalByRefid } from "../queries.ts";
import { nextWithdrawalStatus } from "../rules.ts";
import { type GivenHash, getUpdated, isHashFree, type SubmissionRefusal } from "../send/mark-sent.ts";
import { isHashTaken, lockHashHolders, lockWithdrawal, releaseHash } from "../store.ts";
import type {
  SubmittedTransaction,
  TransactionObservation,
  WithdrawalDeps,
  WithdrawalRow,
} from "../types.ts";
import { postCompletion } from "./end-withdrawal.ts";

type SettleWithdrawalRefusal =
  | SubmissionRefusal
  | ObservationRefusal
  | SettlementRefusal
  | "nodes_incomplete";

type Refusal = { readonly ok: false; readonly reason: SettleWithdrawalRefusal };
const refused = (reason: SettleWithdrawalRefusal): Refusal => ({ ok: false, reason });

/** The transaction that paid, and the other submitted ones. */
interface Settlement {
  readonly payment: SubmittedTransaction;
  readonly others: readonly TransactionObservation[];
  readonly abandonOthers: boolean;
}

/**
 * Proves that a transaction paid a withdrawal, whatever was submitted before: it pays the address exactly the amount in a final block. With
 * `abandonOthers`, another submitted transaction may still pay: nobody follows it any more, and such a second payment would be missing in
 * the books.
 */
export async function prepareSettlement(
  deps: WithdrawalDeps,
  found: WithdrawalRow,
  { txHash, abandonOthers }: GivenHash & { readonly abandonOthers: boolean },
  now: Date,
): Promise<({ ok: true } & Settlement) | Refusal> {
  const hash = getFamily(found.network).canonicalizeTransactionHash(txHash);
  if (hash === null) return refused("tx_hash_malformed");
  const allowed = nextWithdrawalStatus(found.status, "paid");
  return allowed.ok ? provePaid(deps, found, newSubmittedTransaction(hash, now), abandonOthers) : allowed;
}

/**
 * Completes a withdrawal with the transaction that paid it, as prepareSettlement has proved, unless its transactions have changed. No other
 * withdrawal may count it, and the withdrawal is debited once. Hashes of two withdrawals to one address may have been swapped: then the
 * hash is taken from the one that it does not pay, also from another merchant's.
 */
export const settleWithdrawal = defineVerb(
  "withdrawal.settle",
  async (
    { tx, now, actor, merchantId, env },
    {
      networks,
      refid,
      payment,
      others,
      abandonOthers,
    }: Settlement & { readonly networks: NetworkRegistry; readonly refid: string },
  ) => {
    const { hash } = payment;
    const found = await findWithdrawalByRefid(tx, { merchantId, env, refid });
    if (found === null) return refuse("withdrawal_not_found");
    await lockHashHolders(tx, found, hash);
    const locked = await lockWithdrawal(tx, found.id);
    if (locked === null) return refuse("withdrawal_not_found");
    const moved = nextWithdrawalStatus(locked.status, "paid");
    if (!moved.ok) return refuse(moved.reason);
    const former = locked.transactions.filter((one) => one.hash !== hash);
    const stored = addObservations(former, others);
    // A worker has meanwhile seen one that counted as mistyped: it may pay.
    const isSeenNow = others.some((other, i) => stored?.[i]?.seen && !wasSeen(other));
    if (stored === null || isSeenNow) return refuse("withdrawal_changed");
    if (await isHashTaken(tx, locked, hash, { proven: true })) return refuse("tx_hash_taken");
    const released = await releaseHash(tx, locked, hash);
    const transactions = [...stored, payment];
    const completed = { ...locked, status: moved.status, txHash: hash, transactions };
    if (!(await isHashFree(() => postCompletion(tx, { networks }, completed, now))))
      return refuse("tx_hash_taken");
    const foreign = released.filter((one) => one.merchantId !== merchantId);
    for (const other of foreign) {
      const entry = {
        actor: nameActor(actor),
        action: "withdrawal.release-hash",
        subject: `withdrawal:${other.refid}`,
      };
      const details = { env, released_hash: hash };
      await recordDecision(tx, { ...entry, merchantId: other.merchantId, details }, now);
    }
    const own = released.filter((one) => !foreign.includes(one));
    const details = {
      env,
      tx_hash: hash,
      instead_of: others.map((other) => other.hash).join(" "),
      released_from: own.map((one) => one.refid).join(" "),
      abandon_others: abandonOthers,
    };
    return done(await getUpdated(tx, found.id), { subject: `withdrawal:${refid}`, details });
  },
);

async function provePaid(
  { networks }: WithdrawalDeps,
  found: WithdrawalRow,
  submitted: SubmittedTransaction,
  abandonOthers: boolean,
): Promise<({ ok: true } & Settlement) | Refusal> {
  const former = found.transactions.filter(({ hash }) => hash !== submitted.hash);
  const adapter = findTransactionNetwork(networks, found);
  const observed = await tryObserveTransactions(adapter, [...former, submitted]);
  if (!observed.ok) return observed;
  if (adapter === null) return refused("network_off");
  const { transactions } = observed.observation;
  const [others, payment] = [transactions.slice(0, -1), transactions.at(-1)];
  if (!payment) throw new Error("the payment was not observed");
  const alone = { ...observed.observation, transactions: [] };
  const denial = settlementRefusal(found, payment, alone) ?? (await refuseIfDenied(adapter, found, payment));
  if (denial !== null) return refused(denial);
  const refusal =
    settlementRefusal(found, payment, { ...alone, transactions: others }) ??
    (await refuseIfKnown(adapter, others)) ??
    (await refuseIfContradicted(adapter, found, { payment, others }));
  if (refusal !== null && !(abandonOthers && isAboutOthers(refusal))) return refused(refusal);
  return { ok: true, payment: toSubmittedTransaction(payment), others, abandonOthers };
}

/**
 * Why the payment, taken alone, does not settle the withdrawal by a node that knows it. Null: each of them agrees. A node that does not answer
 * denies nothing. The payment is asked for alone, so that no question about another transaction hides an answer.
 */
async function refuseIfDenied(
  adapter: TransactionNetwork,
  found: WithdrawalRow,
  payment: TransactionObservation,
): Promise<SettlementRefusal | null> {
  const { said } = await observeOnAnsweringNodes(adapter, [toSubmittedTransaction(payment)]);
  for (const { transactions, ...rest } of said.map(leaveOutUnknown))
    for (const known of transactions) {
      const refusal = settlementRefusal(found, known, { ...rest, transactions: [] });
      if (refusal !== null) return refusal;
    }
  return null;
}

/**
 * Why the payment does not settle the withdrawal by another node, which knows it or another submitted transaction, or does not answer.
 * Null: every node agrees.
 */
async function refuseIfContradicted(
  adapter: TransactionNetwork,
  found: WithdrawalRow,
  { payment, others }: Record<"payment", TransactionObservation> & Pick<Settlement, "others">,
): Promise<SettlementRefusal | "nodes_incomplete" | null> {
  const said = await observeOnEachNode(adapter, [...others, payment].map(toSubmittedTransaction));
  if (said === null) return "nodes_incomplete";
  for (const observation of said) {
    const { transactions, ...rest } = leaveOutUnknown(observation);
    const known = transactions.find(({ hash }) => hash === payment.hash) ?? payment;
    const former = transactions.filter((one) => one !== known);
    const refusal = settlementRefusal(found, known, { ...rest, transactions: former });
    if (refusal !== null) return refusal;
  }
  return null;
}

const isAboutOthers = (reason: SettleWithdrawalRefusal) =>
  reason === "other_transaction_may_pay" || reason === "nodes_incomplete";

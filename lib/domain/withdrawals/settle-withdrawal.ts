import { getFamily } from "#lib/chains/families.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import type { WithdrawalDeps } from "./create-withdrawal.ts";
import { postCompletion } from "./end-withdrawal.ts";
import {
  refuseTakenHash,
  returnUpdated,
  type SubmissionRefusal,
  type TransactionSubmission,
} from "./mark-sent.ts";
import {
  addObservations,
  newSubmittedTransaction,
  type ObservationRefusal,
  refuseIfKnown,
  toSubmittedTransaction,
  tryObserveTransactions,
} from "./observe-transactions.ts";
import { type SettlementRefusal, settlementRefusal, wasSeen } from "./outcome-rules.ts";
import { findWithdrawalByRefid } from "./queries.ts";
import { nextWithdrawalStatus } from "./rules.ts";
import { isHashTaken, lockHashHolders, lockWithdrawal, releaseHash } from "./store.ts";
import type { SubmittedTransaction, TransactionObservation, WithdrawalRow } from "./types.ts";

export type SettleWithdrawalRefusal =
  | SubmissionRefusal
  | ObservationRefusal
  | SettlementRefusal
  | "nodes_incomplete"
  | "withdrawal_changed";

type Refusal = { readonly ok: false; readonly reason: SettleWithdrawalRefusal };
const refuse = (reason: SettleWithdrawalRefusal): Refusal => ({ ok: false, reason });

/** The transaction that paid, and the other submitted ones. */
interface Settlement {
  readonly payment: SubmittedTransaction;
  readonly others: readonly TransactionObservation[];
}

/**
 * Completes a withdrawal with the transaction that paid it, whatever was submitted before. The chain must prove that this
 * transaction pays the address exactly the amount in a final block, and no other withdrawal may count it. The withdrawal
 * is debited once. With `abandonOthers`, another submitted transaction may still pay: nobody follows it any more, and
 * such a second payment would be missing in the books.
 */
export async function settleWithdrawal(
  deps: WithdrawalDeps,
  submission: TransactionSubmission & { readonly abandonOthers: boolean },
  now: Date,
): Promise<{ ok: true; withdrawal: WithdrawalRow } | Refusal> {
  const { env, refid, txHash, actor, abandonOthers } = submission;
  const found = await findWithdrawalByRefid(deps.db, { env, refid, merchantId: null });
  if (found === null) return refuse("withdrawal_not_found");
  const hash = getFamily(found.network).canonicalizeTransactionHash(txHash);
  if (hash === null) return refuse("tx_hash_malformed");
  const allowed = nextWithdrawalStatus(found.status, "paid");
  if (!allowed.ok) return allowed;
  const proof = await provePaid(deps, found, newSubmittedTransaction(hash, now), abandonOthers);
  if (!proof.ok) return proof;
  return refuseTakenHash(() =>
    deps.db.transaction(async (tx) => {
      const settled = await complete(tx, deps, { found, ...proof }, now);
      if (!settled.ok) return settled;
      const entry = { actor, action: "withdrawal.settle", subject: `withdrawal:${refid}` };
      const instead_of = proof.others.map((other) => other.hash).join(" ");
      const released_from = settled.releasedFrom.join(" ");
      const details = { env, tx_hash: hash, instead_of, released_from, abandon_others: abandonOthers };
      await recordDecision(tx, { ...entry, details }, now);
      return returnUpdated(tx, found.id);
    }),
  );
}

async function provePaid(
  { networks }: WithdrawalDeps,
  found: WithdrawalRow,
  submitted: SubmittedTransaction,
  abandonOthers: boolean,
): Promise<({ ok: true } & Settlement) | Refusal> {
  const former = found.transactions.filter(({ hash }) => hash !== submitted.hash);
  const adapter = networks.find(found.env, found.network);
  const observed = await tryObserveTransactions(adapter, [...former, submitted]);
  if (!observed.ok) return observed;
  if (adapter === null) return refuse("network_off");
  const { transactions } = observed.observation;
  const [others, payment] = [transactions.slice(0, -1), transactions.at(-1)];
  if (!payment) throw new Error("the payment was not observed");
  const refusal =
    settlementRefusal(found, payment, { ...observed.observation, transactions: others }) ??
    (await refuseIfKnown(adapter, others));
  if (refusal !== null && !(abandonOthers && isAboutOthers(refusal))) return refuse(refusal);
  return { ok: true, payment: toSubmittedTransaction(payment), others };
}

const isAboutOthers = (reason: SettleWithdrawalRefusal) =>
  reason === "other_transaction_may_pay" || reason === "nodes_incomplete";

/**
 * Completes the withdrawal under its row's lock, unless its transactions have changed. Hashes of two withdrawals to one
 * address may have been swapped: then the hash is taken from the one that it does not pay.
 */
async function complete(
  tx: Tx,
  deps: WithdrawalDeps,
  { found, payment, others }: Settlement & { readonly found: WithdrawalRow },
  now: Date,
): Promise<{ ok: true; releasedFrom: readonly string[] } | Refusal> {
  const { hash } = payment;
  await lockHashHolders(tx, found, hash);
  const locked = await lockWithdrawal(tx, found.id);
  const moved = nextWithdrawalStatus(locked?.status ?? found.status, "paid");
  if (!moved.ok) return moved;
  const former = locked?.transactions.filter((one) => one.hash !== hash);
  const stored = former && addObservations(former, others);
  // A worker has meanwhile seen one that counted as mistyped: it may pay.
  const isSeenNow = others.some((other, i) => stored?.[i]?.seen && !wasSeen(other));
  if (!locked || !stored || isSeenNow) return refuse("withdrawal_changed");
  if (await isHashTaken(tx, locked, hash, { proven: true })) return refuse("tx_hash_taken");
  const releasedFrom = await releaseHash(tx, locked, hash);
  const transactions = [...stored, payment];
  await postCompletion(tx, deps, { ...locked, status: moved.status, txHash: hash, transactions }, now);
  return { ok: true, releasedFrom };
}

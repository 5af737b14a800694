import { findTransactionNetwork } from "#lib/chains/network.ts";
import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { wakeLink } from "#lib/domain/payment-links/wake-link.ts";
import { describeFinding } from "../observe/finding-rules.ts";
import {
  addObservations,
  type DeathDoubt,
  type ObservationRefusal,
  refuseDoubtedFailure,
  tryObserveTransactions,
} from "../observe/observe-transactions.ts";
import { evaluateOutcome } from "../observe/outcome-rules.ts";
import { findWithdrawalByRefid } from "../queries.ts";
import { nextWithdrawalStatus, type WithdrawalTransition } from "../rules.ts";
import { getUpdated } from "../send/mark-sent.ts";
import { lockWithdrawal, updateWithdrawal } from "../store.ts";
import type { TransactionObservation, WithdrawalDeps, WithdrawalRow } from "../types.ts";

interface FailureProof {
  readonly transition: WithdrawalTransition;
  /** The finding on the chain, in words. Null: the chain was not asked, or there is no finding. */
  readonly reason: string | null;
  readonly observed: readonly TransactionObservation[];
}

/** Without a transaction there is nothing to prove. */
const NOTHING_SENT: FailureProof = { transition: "abandoned", reason: null, observed: [] };

/** Proves from the chain that a withdrawal can fail. Money returns to the merchant, so every node must answer and none may know better. */
export async function prepareFailure(
  { networks }: WithdrawalDeps,
  found: WithdrawalRow,
  now: Date,
): Promise<
  | { readonly ok: true; readonly proof: FailureProof }
  | {
      readonly ok: false;
      readonly reason:
        | ObservationRefusal
        | DeathDoubt
        | "withdrawal_amount_mismatch"
        | "withdrawal_payment_inconclusive";
    }
> {
  if (found.status !== "processing") return { ok: true, proof: NOTHING_SENT };
  const adapter = findTransactionNetwork(networks, found);
  const observed = await tryObserveTransactions(adapter, found.transactions);
  if (!observed.ok) return observed;
  if (adapter === null) return { ok: false, reason: "network_off" };
  const { transactions } = observed.observation;
  const outcome = evaluateOutcome(found, observed.observation);
  if (outcome.kind === "amount_mismatch") return { ok: false, reason: "withdrawal_amount_mismatch" };
  if (outcome.kind === "inconclusive") return { ok: false, reason: "withdrawal_payment_inconclusive" };
  const isDead = outcome.kind === "unpayable";
  const doubt = isDead ? await refuseDoubtedFailure(adapter, found) : null;
  if (doubt !== null) return { ok: false, reason: doubt };
  const transition = isDead ? "abandoned_unpayable" : "abandoned";
  const reason = describeFinding(outcome, transactions, now)?.reason ?? null;
  return { ok: true, proof: { transition, reason, observed: transactions } };
}

/**
 * Gives up a withdrawal. The worker then returns its reservation to the merchant. Refused while a submitted transaction
 * may still pay: only a proof from the chain counts, which prepareFailure makes. Without a reason of the actor, the proof is the reason.
 */
export const failWithdrawal = defineVerb(
  "withdrawal.fail",
  async (
    { tx, now, merchantId, env },
    {
      refid,
      reason,
      proof = NOTHING_SENT,
    }: {
      readonly refid: string;
      readonly reason: string | null;
      /** Absent: nothing was sent. */
      readonly proof?: FailureProof;
    },
  ) => {
    const found = await findWithdrawalByRefid(tx, { merchantId, env, refid });
    if (found === null) return refuse("withdrawal_not_found");
    if (found.paymentLinkId !== null) await wakeLink(tx, found.paymentLinkId, now);
    const locked = await lockWithdrawal(tx, found.id);
    if (locked === null) return refuse("withdrawal_not_found");
    const moved = nextWithdrawalStatus(locked.status, proof.transition);
    if (!moved.ok) return refuse(moved.reason);
    if (addObservations(locked.transactions, proof.observed) === null) return refuse("withdrawal_changed");
    const failureReason = reason ?? proof.reason;
    await updateWithdrawal(tx, found.id, { status: moved.status, finding: null, failureReason }, now);
    const details = { env, reason: failureReason, tx_hash: locked.txHash };
    return done(await getUpdated(tx, found.id), { subject: `withdrawal:${refid}`, details });
  },
);

import type { Env } from "#lib/chains/network-data.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { wakeLink } from "#lib/domain/payment-links/wake-link.ts";
import type { WithdrawalDeps } from "./create-withdrawal.ts";
import { describeFinding } from "./finding-rules.ts";
import { returnUpdated } from "./mark-sent.ts";
import {
  addObservations,
  isContradicted,
  type ObservationRefusal,
  tryObserveTransactions,
} from "./observe-transactions.ts";
import { evaluateOutcome } from "./outcome-rules.ts";
import { findWithdrawalByRefid } from "./queries.ts";
import { nextWithdrawalStatus, type TransitionRefusal, type WithdrawalTransition } from "./rules.ts";
import { lockWithdrawal, updateWithdrawal } from "./store.ts";
import type { TransactionObservation, WithdrawalRow } from "./types.ts";

export type FailWithdrawalRefusal =
  | "withdrawal_not_found"
  | ObservationRefusal
  | TransitionRefusal
  | "withdrawal_amount_mismatch"
  | "withdrawal_payment_inconclusive"
  | "withdrawal_changed";

/**
 * Gives up a withdrawal. The worker then returns its reservation to the merchant. Refused while a submitted transaction
 * may still pay: only a proof from the chain counts. Without a reason of the operator, the proof is the reason.
 */
export async function failWithdrawal(
  deps: WithdrawalDeps,
  request: {
    readonly env: Env;
    readonly refid: string;
    readonly reason: string | null;
    readonly actor: string;
  },
  now: Date,
): Promise<{ ok: true; withdrawal: WithdrawalRow } | { ok: false; reason: FailWithdrawalRefusal }> {
  const { env, refid, reason, actor } = request;
  const found = await findWithdrawalByRefid(deps.db, { env, refid, merchantId: null });
  if (found === null) return { ok: false, reason: "withdrawal_not_found" };
  const proof = await proveFailure(deps, found, now);
  if (!proof.ok) return proof;
  return deps.db.transaction(async (tx) => {
    if (found.paymentLinkId !== null) await wakeLink(tx, found.paymentLinkId, now);
    const locked = await lockWithdrawal(tx, found.id);
    const moved = nextWithdrawalStatus(locked?.status ?? found.status, proof.transition);
    if (!moved.ok) return moved;
    if (!locked || addObservations(locked.transactions, proof.observed) === null) {
      return { ok: false, reason: "withdrawal_changed" } as const;
    }
    const failureReason = reason ?? proof.reason;
    await updateWithdrawal(tx, found.id, { status: moved.status, finding: null, failureReason }, now);
    const entry = { actor, action: "withdrawal.fail", subject: `withdrawal:${refid}` };
    const details = { env, reason: failureReason, tx_hash: found.txHash };
    await recordDecision(tx, { ...entry, details }, now);
    return returnUpdated(tx, found.id);
  });
}

interface FailureProof {
  readonly transition: WithdrawalTransition;
  /** What the chain says. Null: it was not asked. */
  readonly reason: string | null;
  readonly observed: readonly TransactionObservation[];
}

/** Proves from the chain that the withdrawal can fail. Without a transaction there is nothing to prove. */
async function proveFailure(
  { networks }: WithdrawalDeps,
  found: WithdrawalRow,
  now: Date,
): Promise<({ ok: true } & FailureProof) | { ok: false; reason: FailWithdrawalRefusal }> {
  if (found.status !== 1) return { ok: true, transition: "abandoned", reason: null, observed: [] };
  const adapter = networks.find(found.env, found.network);
  const observed = await tryObserveTransactions(adapter, found.transactions);
  if (!observed.ok) return observed;
  const { transactions } = observed.observation;
  const outcome = evaluateOutcome(found, observed.observation);
  if (outcome.kind === "amount_mismatch") return { ok: false, reason: "withdrawal_amount_mismatch" };
  if (outcome.kind === "inconclusive") return { ok: false, reason: "withdrawal_payment_inconclusive" };
  const isDead = outcome.kind === "unpayable" && adapter !== null && !(await isContradicted(adapter, found));
  const transition = isDead ? "abandoned_unpayable" : "abandoned";
  const reason = describeFinding(outcome, transactions, now)?.reason ?? null;
  return { ok: true, transition, reason, observed: transactions };
}

import type { Env } from "#lib/chains/network-data.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { WithdrawalDeps } from "./create-withdrawal.ts";
import { returnUpdated } from "./mark-sent.ts";
import { type ObservationRefusal, tryObserveTransactions } from "./observe-transactions.ts";
import { evaluateOutcome } from "./outcome-rules.ts";
import { findWithdrawalByRefid } from "./queries.ts";
import { nextWithdrawalStatus, type TransitionRefusal, type WithdrawalTransition } from "./rules.ts";
import { lockWithdrawal, updateWithdrawal } from "./store.ts";
import type { WithdrawalRow } from "./types.ts";

export type FailWithdrawalRefusal =
  | "withdrawal_not_found"
  | ObservationRefusal
  | TransitionRefusal
  | "withdrawal_amount_mismatch"
  | "withdrawal_payment_inconclusive"
  | "withdrawal_changed";

/**
 * Gives up a withdrawal. The worker then returns its reservation to the merchant. Refused while a submitted transaction
 * may still pay: only a proof from the chain counts.
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
  const proof = await proveFailure(deps, found);
  if (!proof.ok) return proof;
  return deps.db.transaction(async (tx) => {
    const locked = await lockWithdrawal(tx, found.id);
    const moved = nextWithdrawalStatus(locked?.status ?? found.status, proof.transition);
    if (!moved.ok) return moved;
    if (locked?.transactions.length !== found.transactions.length) {
      return { ok: false, reason: "withdrawal_changed" } as const;
    }
    await updateWithdrawal(tx, found.id, { status: moved.status, failureReason: reason }, now);
    const entry = { actor, action: "withdrawal.fail", subject: `withdrawal:${refid}` };
    await recordDecision(tx, { ...entry, details: { env, reason, tx_hash: found.txHash } }, now);
    return returnUpdated(tx, found.id);
  });
}

/** Proves from the chain that the withdrawal can fail. Without a transaction there is nothing to prove. */
async function proveFailure(
  { networks }: WithdrawalDeps,
  found: WithdrawalRow,
): Promise<{ ok: true; transition: WithdrawalTransition } | { ok: false; reason: FailWithdrawalRefusal }> {
  if (found.status !== 1) return { ok: true, transition: "abandoned" };
  const observed = await tryObserveTransactions(networks.find(found.env, found.network), found.transactions);
  if (!observed.ok) return observed;
  const { kind } = evaluateOutcome(found, observed.observation);
  if (kind === "amount_mismatch") return { ok: false, reason: "withdrawal_amount_mismatch" };
  if (kind === "inconclusive") return { ok: false, reason: "withdrawal_payment_inconclusive" };
  return { ok: true, transition: kind === "unpayable" ? "abandoned_unpayable" : "abandoned" };
}

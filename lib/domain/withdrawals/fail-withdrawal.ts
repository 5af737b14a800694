import type { Env } from "#lib/chains/network-data.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { WithdrawalDeps } from "./create-withdrawal.ts";
import { returnUpdated } from "./mark-sent.ts";
import { type ObservationRefusal, tryObserveTransactions } from "./observe-transactions.ts";
import { evaluateOutcome } from "./outcome-rules.ts";
import { nextWithdrawalStatus, type TransitionRefusal, type WithdrawalTransition } from "./rules.ts";
import { findWithdrawalByRefid, lockWithdrawal, updateWithdrawal } from "./store.ts";
import type { WithdrawalRow } from "./types.ts";

export type FailWithdrawalRefusal =
  | "withdrawal_not_found"
  | ObservationRefusal
  | TransitionRefusal
  | "withdrawal_amount_mismatch"
  | "withdrawal_payment_inconclusive"
  | "withdrawal_changed";

/**
 * Gives a withdrawal up: its reservation waits to be given back, which the worker does. Refused while anything that
 * was named for it could pay; only the chain's own proof counts.
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
  const found = await findWithdrawalByRefid(deps.db, env, refid);
  if (found === null) return { ok: false, reason: "withdrawal_not_found" };
  const proof = await proveFailure(deps, found);
  if (!proof.ok) return proof;
  return deps.db.transaction(async (tx) => {
    const locked = await lockWithdrawal(tx, found.id);
    const moved = nextWithdrawalStatus(locked?.status ?? found.status, proof.fact);
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

/** What the chain says about giving it up; without a transaction there is nothing to ask. */
async function proveFailure(
  { networks }: WithdrawalDeps,
  found: WithdrawalRow,
): Promise<{ ok: true; fact: WithdrawalTransition } | { ok: false; reason: FailWithdrawalRefusal }> {
  if (found.status !== 1) return { ok: true, fact: "abandoned" };
  const looked = await tryObserveTransactions(networks.find(found.env, found.network), found.transactions);
  if (!looked.ok) return looked;
  const { kind } = evaluateOutcome(found, looked.observation);
  if (kind === "amount_mismatch") return { ok: false, reason: "withdrawal_amount_mismatch" };
  if (kind === "inconclusive") return { ok: false, reason: "withdrawal_payment_inconclusive" };
  return { ok: true, fact: kind === "unpayable" ? "abandoned_unpayable" : "abandoned" };
}

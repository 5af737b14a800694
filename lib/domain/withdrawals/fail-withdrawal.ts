import type { Env } from "#lib/chains/network-data.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { WithdrawalDeps } from "./create-withdrawal.ts";
import { type LookUpRefusal, tryToObserve } from "./look-up-transactions.ts";
import { renewed } from "./mark-sent.ts";
import { judge } from "./outcome-rules.ts";
import { next, type TransitionRefusal, type WithdrawalFact } from "./rules.ts";
import { lockWithdrawal, selectByRefid, updateWithdrawal } from "./store.ts";
import type { WithdrawalRow } from "./types.ts";

export type FailRefusal =
  | "withdrawal_not_found"
  | LookUpRefusal
  | TransitionRefusal
  | "withdrawal_paid_otherwise"
  | "withdrawal_payment_untold"
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
): Promise<{ ok: true; withdrawal: WithdrawalRow } | { ok: false; reason: FailRefusal }> {
  const { env, refid, reason, actor } = request;
  const found = await selectByRefid(deps.db, env, refid);
  if (found === null) return { ok: false, reason: "withdrawal_not_found" };
  const proof = await prove(deps, found);
  if (!proof.ok) return proof;
  return deps.db.transaction(async (tx) => {
    const locked = await lockWithdrawal(tx, found.id);
    const moved = next(locked?.status ?? found.status, proof.fact);
    if (!moved.ok) return moved;
    if (locked?.transactions.length !== found.transactions.length) {
      return { ok: false, reason: "withdrawal_changed" } as const;
    }
    await updateWithdrawal(tx, found.id, { status: moved.status, failureReason: reason }, now);
    const entry = { actor, action: "withdrawal.fail", subject: `withdrawal:${refid}` };
    await recordDecision(tx, { ...entry, details: { env, reason, tx_hash: found.txHash } }, now);
    return renewed(tx, found.id);
  });
}

/** What the chain says about giving it up; without a transaction there is nothing to ask. */
async function prove(
  { networks }: WithdrawalDeps,
  found: WithdrawalRow,
): Promise<{ ok: true; fact: WithdrawalFact } | { ok: false; reason: FailRefusal }> {
  if (found.status !== 1) return { ok: true, fact: "abandoned" };
  const looked = await tryToObserve(networks.get(found.env, found.network), found.transactions);
  if (!looked.ok) return looked;
  const { kind } = judge(found, looked.observation);
  if (kind === "paid_otherwise") return { ok: false, reason: "withdrawal_paid_otherwise" };
  if (kind === "untold") return { ok: false, reason: "withdrawal_payment_untold" };
  return { ok: true, fact: kind === "dead" ? "abandoned_dead" : "abandoned" };
}

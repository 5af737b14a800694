import type { WithdrawalStatus } from "./types.ts";

/**
 * What can happen to a withdrawal.
 * - sent: the operator reports the hash of its transaction.
 * - replaced: the operator reports another transaction for it.
 * - paid: one of its transactions pays the exact amount, in a final block.
 * - abandoned: the operator gives it up.
 * - abandoned_unpayable: the operator gives it up, and it is proven that none of its transactions can pay.
 * - released: its reservation is returned to the merchant.
 */
export type WithdrawalTransition =
  | "sent"
  | "replaced"
  | "paid"
  | "abandoned"
  | "abandoned_unpayable"
  | "released";
export const WITHDRAWAL_TRANSITIONS = [
  "sent",
  "replaced",
  "paid",
  "abandoned",
  "abandoned_unpayable",
  "released",
] as const satisfies readonly WithdrawalTransition[];

export type TransitionRefusal =
  | "withdrawal_not_sent"
  | "withdrawal_already_sent"
  | "withdrawal_may_still_pay"
  | "withdrawal_not_abandoned"
  | "withdrawal_abandoned"
  | "withdrawal_failed"
  | "withdrawal_completed";

const refuseAll = (reason: TransitionRefusal): Readonly<Record<WithdrawalTransition, TransitionRefusal>> => ({
  sent: reason,
  replaced: reason,
  paid: reason,
  abandoned: reason,
  abandoned_unpayable: reason,
  released: reason,
});

/** See docs/decisions.md, Withdrawals. A number is the next status, a text the reason of the refusal. */
const TRANSITIONS: Readonly<
  Record<WithdrawalStatus, Readonly<Record<WithdrawalTransition, WithdrawalStatus | TransitionRefusal>>>
> = {
  0: { ...refuseAll("withdrawal_not_sent"), sent: 1, abandoned: 5, abandoned_unpayable: 5 },
  1: {
    sent: "withdrawal_already_sent",
    replaced: 1,
    paid: 3,
    abandoned: "withdrawal_may_still_pay",
    abandoned_unpayable: 5,
    released: "withdrawal_not_abandoned",
  },
  5: { ...refuseAll("withdrawal_abandoned"), released: 2 },
  2: refuseAll("withdrawal_failed"),
  3: refuseAll("withdrawal_completed"),
};

/** Returns the next status of a withdrawal, or why it cannot change. Every change of status uses this function. */
export function nextWithdrawalStatus(
  status: WithdrawalStatus,
  fact: WithdrawalTransition,
): { ok: true; status: WithdrawalStatus } | { ok: false; reason: TransitionRefusal } {
  const found = TRANSITIONS[status][fact];
  return typeof found === "number" ? { ok: true, status: found } : { ok: false, reason: found };
}

export type SendAmountRefusal =
  | "send_amount_too_fine"
  | "send_amount_below_minimum"
  | "send_amount_above_maximum";

/** Returns why this amount cannot be sent, or null. All in ledger units; `step` is the smallest unit of the chain. */
export function sendAmountRefusal(
  amount: bigint,
  { minimum, maximum, step }: { readonly minimum: bigint; readonly maximum: bigint; readonly step: bigint },
): SendAmountRefusal | null {
  if (amount % step !== 0n) return "send_amount_too_fine";
  if (amount < minimum) return "send_amount_below_minimum";
  return amount > maximum ? "send_amount_above_maximum" : null;
}

/** Returns the causes of a withdrawal's ledger transfers. */
export function withdrawalCauses({ id }: { readonly id: number }) {
  const reserve = `withdrawal:${id}:reserve`;
  return {
    reserve,
    release: `${reserve}:reversal`,
    repayment: `${reserve}:reversal:repayment`,
    send: `withdrawal:${id}:send`,
    fee: `withdrawal:${id}:fee`,
    settle: `withdrawal:${id}:settle`,
    excess: `withdrawal:${id}:excess`,
  };
}

import type { PayableRow, WithdrawalStatus } from "./types.ts";

/**
 * The events that can change a withdrawal.
 * - sent: the operator reports the hash of its transaction.
 * - replaced: the operator reports another transaction for it.
 * - paid: one of its transactions pays the exact amount, in a final block.
 * - abandoned: the operator gives it up.
 * - abandoned_unpayable: the operator gives it up, and it is proven that none of its transactions can pay.
 * - released: its reservation is returned to the merchant.
 */
export const WITHDRAWAL_TRANSITIONS = [
  "sent",
  "replaced",
  "paid",
  "abandoned",
  "abandoned_unpayable",
  "released",
] as const;
export type WithdrawalTransition = (typeof WITHDRAWAL_TRANSITIONS)[number];

export type TransitionRefusal =
  | "withdrawal_not_sent"
  | "withdrawal_already_sent"
  | "withdrawal_may_still_pay"
  | "withdrawal_not_abandoned"
  | "withdrawal_abandoned"
  | "withdrawal_failed"
  | "withdrawal_completed";

type Next =
  | { readonly ok: true; readonly status: WithdrawalStatus }
  | { readonly ok: false; readonly reason: TransitionRefusal };

const to = (status: WithdrawalStatus): Next => ({ ok: true, status });
const no = (reason: TransitionRefusal): Next => ({ ok: false, reason });
const noneFor = (reason: TransitionRefusal): Readonly<Record<WithdrawalTransition, Next>> => ({
  sent: no(reason),
  replaced: no(reason),
  paid: no(reason),
  abandoned: no(reason),
  abandoned_unpayable: no(reason),
  released: no(reason),
});

/** See docs/decisions.md, Withdrawals. */
const TRANSITIONS: Readonly<Record<WithdrawalStatus, Readonly<Record<WithdrawalTransition, Next>>>> = {
  pending: {
    ...noneFor("withdrawal_not_sent"),
    sent: to("processing"),
    abandoned: to("refund_queued"),
    abandoned_unpayable: to("refund_queued"),
  },
  processing: {
    sent: no("withdrawal_already_sent"),
    replaced: to("processing"),
    paid: to("completed"),
    abandoned: no("withdrawal_may_still_pay"),
    abandoned_unpayable: to("refund_queued"),
    released: no("withdrawal_not_abandoned"),
  },
  refund_queued: { ...noneFor("withdrawal_abandoned"), released: to("failed") },
  failed: noneFor("withdrawal_failed"),
  completed: noneFor("withdrawal_completed"),
};

/** Returns the next status of a withdrawal, or why it cannot change. Every change of status uses this function. */
export function nextWithdrawalStatus(status: WithdrawalStatus, fact: WithdrawalTransition): Next {
  return TRANSITIONS[status][fact];
}

/** False while the merchant is disabled, or when it is removed: no new payment is signed for its withdrawals. */
export function isOfActive({ merchantStatus }: Pick<PayableRow, "merchantStatus">): boolean {
  return merchantStatus === "active";
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

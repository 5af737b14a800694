import type { WithdrawalStatus } from "./types.ts";

/**
 * What can happen to a withdrawal. sent: its transaction's hash is known. replaced: another transaction stands for it.
 * paid: one of them pays it, exactly and for good. abandoned: a person gives it up; abandoned_unpayable: and nothing that
 * was named for it can pay any more. released: what was reserved for it is the merchant's again.
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

/** docs/decisions.md, Withdrawals. A number: the next status; a text: why not. */
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

/** The one function that moves a withdrawal from status to status. */
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

/** Why this much cannot be sent; null: it can. All in ledger units; `step` is the least that the chain can count. */
export function sendAmountRefusal(
  amount: bigint,
  { minimum, maximum, step }: { readonly minimum: bigint; readonly maximum: bigint; readonly step: bigint },
): SendAmountRefusal | null {
  if (amount % step !== 0n) return "send_amount_too_fine";
  if (amount < minimum) return "send_amount_below_minimum";
  return amount > maximum ? "send_amount_above_maximum" : null;
}

/** Names of a withdrawal's ledger transfers. */
export function withdrawalCauses({ id }: { readonly id: number }) {
  const reserve = `withdrawal:${id}:reserve`;
  return {
    reserve,
    release: `${reserve}:reversal`,
    repayment: `${reserve}:reversal:repayment`,
    send: `withdrawal:${id}:send`,
    fee: `withdrawal:${id}:fee`,
  };
}

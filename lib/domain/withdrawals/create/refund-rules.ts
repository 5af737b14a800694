import type { TokenAmount } from "#lib/domain/payment-links/types.ts";
import { isPlainLine } from "#lib/platform/plain-text.ts";
import type { Refundable, WithdrawalRequest } from "../types.ts";

/** How much to refund: ledger units, all that is left, or what was paid too much. */
export type RefundAmount = bigint | "all" | "excess";

export type RefundRefusal = "refund_not_paid_so" | "refund_above_credited";
export type RefundAmountRefusal = RefundRefusal | "refund_no_excess";

/** Characters of a reason. */
export const MAX_REASON = 200;

/** Why staff refund: one line of plain text. "" is no reason. Null if it is malformed. */
export function readReason(text: string): string | null {
  const reason = text.trim();
  return isPlainLine(reason) && [...reason].length <= MAX_REASON ? reason : null;
}

/** Returns whether a request pays a customer back. */
export function isRefund({
  paymentLink,
  toCustomer = paymentLink !== null,
}: Pick<WithdrawalRequest, "paymentLink" | "toCustomer">): boolean {
  return toCustomer;
}

/** The reason that a request stores. Only a refund has one. */
export function reasonOf(
  request: Pick<WithdrawalRequest, "paymentLink" | "toCustomer" | "reason">,
): string | null {
  return isRefund(request) ? (request.reason ?? null) : null;
}

/** Returns the amount that is left to refund, in ledger units. A reversed deposit may leave less than nothing, which counts as 0. */
export function leftToRefund({
  credited,
  refunded,
  claimed,
}: Pick<Refundable, "credited" | "refunded" | "claimed">): bigint {
  const left = credited - refunded - claimed;
  return left > 0n ? left : 0n;
}

/**
 * Returns the part of an overpayment that can be refunded, in ledger units. `excess` is what is left of it after refunds and open claims:
 * asking for it twice refunds it once.
 */
export function leftOfExcess(
  paid: Pick<Refundable, "network" | "token" | "credited" | "refunded" | "claimed">,
  excess: readonly TokenAmount[],
): bigint {
  const over = excess.find((one) => isSameWay(one, paid))?.amount ?? 0n;
  const left = leftToRefund(paid);
  return over < left ? over : left;
}

interface Way {
  readonly network: string;
  readonly token: string;
}

const isSameWay = (one: Way, { network, token }: Way) => one.network === network && one.token === token;

/** Why this much cannot be refunded on a network and in a token; null: it can. */
export function refundRefusal(
  refundables: readonly Refundable[],
  { amount, ...way }: Way & { readonly amount: bigint },
): RefundRefusal | null {
  const paid = refundables.find((one) => isSameWay(one, way));
  if (paid === undefined || paid.credited === 0n) return "refund_not_paid_so";
  return amount > leftToRefund(paid) ? "refund_above_credited" : null;
}

/**
 * The amount that a word means, in ledger units. "all": what is left on this network and in this token. "excess": what is left of what
 * was paid too much.
 */
export function refundAmountOf(
  word: "all" | "excess",
  refundables: readonly Refundable[],
  excess: readonly TokenAmount[],
  way: Way,
):
  | { readonly ok: true; readonly amount: bigint }
  | { readonly ok: false; readonly reason: RefundAmountRefusal } {
  const paid = refundables.find((one) => isSameWay(one, way));
  if (paid === undefined || paid.credited === 0n) return { ok: false, reason: "refund_not_paid_so" };
  const amount = word === "all" ? leftToRefund(paid) : leftOfExcess(paid, excess);
  if (amount > 0n) return { ok: true, amount };
  return { ok: false, reason: word === "all" ? "refund_above_credited" : "refund_no_excess" };
}

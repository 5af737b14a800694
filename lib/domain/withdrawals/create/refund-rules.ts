import type { TokenAmount } from "#lib/domain/payment-links/types.ts";
import { isPlainLine } from "#lib/platform/plain-text.ts";
import type { Refundable, WithdrawalRequest } from "../types.ts";

/** A share of 1 in this many parts. */
export const SHARE_PARTS = 10n ** 12n;

/** A refund as a shop asks for it. */
export interface ShopRefund {
  /** Ledger units, all that is left, or what was paid too much. */
  readonly of: bigint | "all" | "excess";
  /** Ledger units that the payer was forgiven. The shop counts them as paid: if `of` is above what is left by at most so much, all is refunded. */
  readonly forgiven: bigint;
  /** The share of it that the shop keeps, in parts of SHARE_PARTS. */
  readonly kept: bigint;
  /** Ledger units of the smallest amount that the network can send. The amount is rounded down to them. */
  readonly step: bigint;
}

/** How much to refund: ledger units, all that is left, what was paid too much, or what a shop asks for. */
export type RefundAmount = bigint | "all" | "excess" | ShopRefund;

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

type ResolvedAmount =
  | { readonly ok: true; readonly amount: bigint }
  | { readonly ok: false; readonly reason: RefundAmountRefusal };

/**
 * The amount that a word means, in ledger units. "all": what is left on this network and in this token. "excess": what is left of what
 * was paid too much.
 */
export function refundAmountOf(
  word: "all" | "excess",
  refundables: readonly Refundable[],
  excess: readonly TokenAmount[],
  way: Way,
): ResolvedAmount {
  const paid = refundables.find((one) => isSameWay(one, way));
  if (paid === undefined || paid.credited === 0n) return { ok: false, reason: "refund_not_paid_so" };
  const amount = word === "all" ? leftToRefund(paid) : leftOfExcess(paid, excess);
  if (amount > 0n) return { ok: true, amount };
  return { ok: false, reason: word === "all" ? "refund_above_credited" : "refund_no_excess" };
}

/**
 * The amount that a shop asks for, in ledger units. It may be 0, if the shop keeps everything. Of "all" and "excess" the shop keeps its share
 * once: the amount is what is left of the rest after refunds and open claims.
 */
export function shopRefundOf(
  { of, forgiven, kept, step }: ShopRefund,
  refundables: readonly Refundable[],
  excess: readonly TokenAmount[],
  way: Way,
): ResolvedAmount {
  const word = of === "excess" ? "excess" : "all";
  const most = refundAmountOf(word, refundables, excess, way);
  if (!most.ok) return most;
  if (typeof of === "bigint" && of - most.amount > forgiven)
    return { ok: false, reason: "refund_above_credited" };
  const taken = typeof of === "bigint" ? 0n : takenOf(refundables, way);
  const whole = typeof of === "bigint" && of < most.amount ? of : most.amount;
  const amount = ((whole + taken) * (SHARE_PARTS - kept)) / SHARE_PARTS - taken;
  if (amount <= 0n && taken > 0n)
    return { ok: false, reason: word === "all" ? "refund_above_credited" : "refund_no_excess" };
  return { ok: true, amount: amount - (amount % step) };
}

/** Ledger units that refunds and open claims have taken. */
function takenOf(refundables: readonly Refundable[], way: Way): bigint {
  const paid = refundables.find((one) => isSameWay(one, way));
  return (paid?.refunded ?? 0n) + (paid?.claimed ?? 0n);
}

import type { Refundable } from "./types.ts";

export type RefundRefusal = "refund_not_paid_so" | "refund_above_credited";

/** What is left to refund, in ledger units. A reversed deposit may leave less than nothing. */
export function leftToRefund({ credited, refunded }: Pick<Refundable, "credited" | "refunded">): bigint {
  return credited > refunded ? credited - refunded : 0n;
}

/** Why this much cannot be refunded on a network and in a token; null: it can. */
export function refundRefusal(
  refundables: readonly Refundable[],
  { network, token, amount }: { readonly network: string; readonly token: string; readonly amount: bigint },
): RefundRefusal | null {
  const paid = refundables.find((one) => one.network === network && one.token === token);
  if (paid === undefined || paid.credited === 0n) return "refund_not_paid_so";
  return amount > leftToRefund(paid) ? "refund_above_credited" : null;
}

import type { PaymentStatus, Refund, TokenAmount } from "./types.ts";

/** A payment, or several that every rule treats alike, as refunds take from it. */
interface Refundable extends TokenAmount {
  readonly depositId: number;
  readonly status: PaymentStatus;
  /** When the newest of them was recorded. */
  readonly recordedAt: Date;
}

/** The refunds that count now: an open refund claim promises money until its end. */
export function countingRefunds(refunds: readonly Refund[], now: Date): Refund[] {
  return refunds.filter(({ until }) => until === null || until > now);
}

/**
 * The payments less what of them is refunded or promised, without those of which nothing is left. A refund takes from the
 * payments on its network and in its token: first from those that were recorded before it, the newest first, because what
 * is given back is mostly what came too much or too late. If a reorg has dropped them, it takes from the others: what was
 * sent is gone, whatever came for it.
 */
export function withoutRefunds<Payment extends Refundable>(
  payments: readonly Payment[],
  refunds: readonly Refund[],
): Payment[] {
  if (refunds.length === 0) return [...payments];
  const left = new Map(payments.map((payment) => [payment, payment.amount]));
  for (const refund of refunds.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    let open = refund.amount;
    for (const payment of inRefundOrder(payments, refund)) {
      const amount = left.get(payment) ?? 0n;
      const taken = amount < open ? amount : open;
      left.set(payment, amount - taken);
      open -= taken;
    }
  }
  return payments.flatMap((payment) => {
    const amount = left.get(payment) ?? 0n;
    return amount > 0n ? [{ ...payment, amount }] : [];
  });
}

function inRefundOrder<Payment extends Refundable>(payments: readonly Payment[], refund: Refund): Payment[] {
  const way = payments.filter(({ network, token }) => network === refund.network && token === refund.token);
  const isBefore = ({ recordedAt }: Payment) => recordedAt < refund.at;
  const newestFirst = way.filter(isBefore).sort((a, b) => b.depositId - a.depositId);
  const others = way.filter((payment) => !isBefore(payment)).sort((a, b) => a.depositId - b.depositId);
  return [...newestFirst, ...others];
}

/** The payments that are seen or credited, less what of them is refunded or promised. Dropped ones (2) do not count. */
export function seenPayments<Payment extends Refundable>(
  payments: readonly Payment[],
  refunds: readonly Refund[],
): Payment[] {
  return withoutRefunds(
    payments.filter(({ status }) => status !== "dropped"),
    refunds,
  );
}

/** The payments that are credited, less what of them is refunded or promised. */
export function creditedPayments<Payment extends Refundable>(
  payments: readonly Payment[],
  refunds: readonly Refund[],
): Payment[] {
  return withoutRefunds(
    payments.filter(({ status }) => status === "credited"),
    refunds,
  );
}

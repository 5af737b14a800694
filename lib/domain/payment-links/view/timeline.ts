import type { PaymentView, QuoteView, TokenAmount } from "../types.ts";
import type { PaymentLinkRecord } from "./compose-view.ts";

/** Something that happened to a link. */
export type TimelineEntry = { readonly at: Date } & (
  | { readonly kind: "created" | "paid" | "expired" }
  | { readonly kind: "priced"; readonly quote: QuoteView }
  | { readonly kind: "seen" | "credited"; readonly payment: PaymentView }
  | { readonly kind: "refund_asked" | "refunded" | "refund_failed"; readonly refund: TimelineRefund }
);

/** A refund of a link. */
export interface TimelineRefund extends TokenAmount {
  readonly id: number;
  readonly status: string;
  /** Why staff refund. Null: they wrote nothing. */
  readonly reason: string | null;
  readonly createdAt: Date;
  /** When it ended. */
  readonly processedAt: Date | null;
}

function refundEntries(refund: TimelineRefund): readonly TimelineEntry[] {
  const { status, createdAt, processedAt: at } = refund;
  const kind = status === "completed" ? "refunded" : status === "failed" ? "refund_failed" : null;
  const end: readonly TimelineEntry[] = kind === null || at === null ? [] : [{ kind, at, refund }];
  return [{ kind: "refund_asked", at: createdAt, refund }, ...end];
}

/**
 * Lists the events of a link with their times, oldest first. A payment that the chain dropped is only seen. "paid" is the time of the
 * last payment that it took; "expired" the end of its time, if nothing paid it until then.
 */
export function timelineOf(
  link: Pick<PaymentLinkRecord, "createdAt" | "expiresAt" | "completedAt" | "state" | "quotes" | "payments">,
  refunds: readonly TimelineRefund[] = [],
): readonly TimelineEntry[] {
  const entries: readonly TimelineEntry[] = [
    { kind: "created", at: link.createdAt },
    // A price can be a little older than the link that takes it.
    ...link.quotes.map(
      (quote) => ({ kind: "priced", at: latest(quote.rateAt, link.createdAt), quote }) as const,
    ),
    ...link.payments.flatMap((payment): TimelineEntry[] => [
      // The clock of a block can be behind ours.
      { kind: "seen", at: latest(payment.firstSeenAt, link.createdAt), payment },
      ...(payment.status === "credited" && payment.confirmedAt !== null
        ? [{ kind: "credited", at: payment.confirmedAt, payment } as const]
        : []),
    ]),
    ...refunds.flatMap(refundEntries),
    ...(link.completedAt === null ? [] : [{ kind: "paid", at: link.completedAt } as const]),
    ...(link.state === "expired" ? [{ kind: "expired", at: link.expiresAt } as const] : []),
  ];
  return entries.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

const latest = (one: Date, other: Date) => (one > other ? one : other);

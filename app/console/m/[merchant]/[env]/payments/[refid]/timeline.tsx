import { tokenText } from "#components/checkout/money-text.ts";
import { LocalTime } from "#components/console/local-time.tsx";
import { NETWORKS } from "#lib/chains/networks.ts";
import type { PaymentLinkRecord } from "#lib/domain/payment-links/view/compose-view.ts";
import {
  type TimelineEntry,
  type TimelineRefund,
  timelineOf,
} from "#lib/domain/payment-links/view/timeline.ts";

/** The events of a link, oldest first. */
export function Timeline({ link, refunds }: { link: PaymentLinkRecord; refunds: readonly TimelineRefund[] }) {
  return (
    <section className="panel" aria-labelledby="timeline">
      <h2 id="timeline" className="font-semibold">
        Timeline
      </h2>
      <ol className="grid gap-3 border-s border-line ps-4 text-sm">
        {timelineOf(link, refunds).map((entry) => (
          <li key={`${entry.kind}:${keyOf(entry)}`} className="flex flex-wrap justify-between gap-x-4">
            <span className="min-w-0 break-words">{textOf(entry)}</span>
            <span className="text-muted">
              <LocalTime at={entry.at} seconds />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function keyOf(entry: TimelineEntry): string {
  if (entry.kind === "priced") return `${entry.quote.network}:${entry.quote.token}`;
  if ("refund" in entry) return String(entry.refund.id);
  return "payment" in entry ? `${entry.payment.txHash}:${entry.payment.position}` : "";
}

const reasonOf = ({ reason }: TimelineRefund) => (reason === null ? "" : `: “${reason}”`);

function textOf(entry: TimelineEntry): string {
  switch (entry.kind) {
    case "created":
      return "Created";
    case "priced":
      return `Price taken: ${tokenText(entry.quote.amount, entry.quote.token, "en")} on ${NETWORKS[entry.quote.network].name}`;
    case "seen":
      return `${tokenText(entry.payment.amount, entry.payment.token, "en")} seen`;
    case "credited":
      return `${tokenText(entry.payment.amount, entry.payment.token, "en")} credited`;
    case "refund_asked":
      return `Refund of ${tokenText(entry.refund.amount, entry.refund.token, "en")} asked for${reasonOf(entry.refund)}`;
    case "refunded":
      return `${tokenText(entry.refund.amount, entry.refund.token, "en")} refunded`;
    case "refund_failed":
      return `Refund of ${tokenText(entry.refund.amount, entry.refund.token, "en")} failed`;
    case "paid":
      return "Paid";
    case "expired":
      return "Time to pay ended";
  }
}

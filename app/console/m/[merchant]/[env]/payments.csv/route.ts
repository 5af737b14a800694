import { notFound } from "next/navigation";
import type { NextRequest } from "next/server";
import type { PaymentLinkSummary } from "#lib/domain/payment-links/types.ts";
import { exportLinks } from "#lib/domain/payment-links/view/export-links.ts";
import { csvLine } from "#lib/platform/csv.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import { getServices } from "#lib/web/services.ts";
import { requireDesk } from "../../../../session.ts";

const HEAD = [
  "created_at",
  "refid",
  "payment_reference",
  "state",
  "reason",
  "amount",
  "currency",
  "email",
  "first_name",
  "last_name",
  "completed_at",
];

/** The payments of a month (UTC) as a file. It is read as fast as the browser takes it, a part at a time. */
export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ merchant: string; env: string }> },
): Promise<Response> {
  const { workplace, env } = await requireDesk(await params, "exports.read");
  const month = request.nextUrl.searchParams.get("month") ?? "";
  const range = readMonth(month);
  if (range === null) notFound();
  const { database, networks, paymentLinks } = getServices();
  const deps = { db: database.db, networks, settings: paymentLinks.settings };
  const filter = { merchantId: workplace.merchantId, env, state: null, paymentReference: null };
  const parts = exportLinks(deps, filter, range);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(csvLine(HEAD)));
    },
    async pull(controller) {
      const { value, done } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value.map(toLine).join("")));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="payments-${env}-${month}.csv"`,
      "cache-control": "no-store",
    },
  });
}

/** "2026-11" as its first and the next month's first instant in UTC. null for any other text. */
function readMonth(text: string): { from: Date; to: Date } | null {
  const match = /^(20[0-9]{2})-(0[1-9]|1[0-2])$/.exec(text);
  if (match === null) return null;
  const [year, month] = [Number(match[1]), Number(match[2])];
  return { from: new Date(Date.UTC(year, month - 1, 1)), to: new Date(Date.UTC(year, month, 1)) };
}

function toLine(link: PaymentLinkSummary): string {
  const { customer } = link;
  return csvLine([
    link.createdAt,
    link.refid,
    link.paymentReference,
    link.state,
    link.reason,
    formatAmount(link.amount, CURRENCIES[link.currency]),
    link.currency,
    customer.email,
    customer.firstName,
    customer.lastName,
    link.completedAt,
  ]);
}

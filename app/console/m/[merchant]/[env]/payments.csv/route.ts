import { notFound } from "next/navigation";
import type { NextRequest } from "next/server";
import type { PaymentLinkSummary } from "#lib/domain/payment-links/types.ts";
import { exportLinks } from "#lib/domain/payment-links/view/export-links.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import { getServices } from "#lib/web/services.ts";
import { requireDesk } from "../../../../session.ts";
import { csvDownload, readMonth } from "../../../csv-download.ts";

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

/** The payments of a month (UTC) as a file. */
export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ merchant: string; env: string }> },
): Promise<Response> {
  const { workplace, env } = await requireDesk(await params, "exports.read");
  const month = request.nextUrl.searchParams.get("month");
  const range = readMonth(month);
  if (range === null) notFound();
  const { database, networks, paymentLinks } = getServices();
  const deps = { db: database.db, networks, settings: paymentLinks.settings };
  const filter = { merchantId: workplace.merchantId, env, state: null, paymentReference: null };
  return csvDownload(`payments-${env}-${month}`, HEAD, toLines(exportLinks(deps, filter, range)));
}

async function* toLines(parts: AsyncIterable<readonly PaymentLinkSummary[]>) {
  for await (const part of parts) yield part.map(toLine);
}

function toLine(link: PaymentLinkSummary) {
  const { customer } = link;
  return [
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
  ];
}

import { notFound } from "next/navigation";
import type { NextRequest } from "next/server";
import { readPaymentFilter, readRange } from "#app/console/m/read-payment-filter.ts";
import { consoleSite, requireDesk } from "#app/console/session.ts";
import { SHEET_FORMATS, SHEET_TYPES, sheetStream } from "#lib/platform/sheets.ts";
import { getServices } from "#lib/web/services.ts";
import { EXPORTS, type ExportName } from "../exports.ts";

/** Before the first link of any installation. */
const FIRST_DAY = new Date("2020-01-01");

/** The rows of days in the merchant's time zone as a file: of payments those of the list's filter. */
export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ merchant: string; env: string }> },
): Promise<Response> {
  const { workplace, env, base: path } = await requireDesk(await params, "exports.read");
  const query = request.nextUrl.searchParams;
  const what = query.get("what") ?? "";
  const filter = readPaymentFilter((name) => query.get(name) ?? undefined);
  const days = readRange(filter, workplace.timeZone);
  const range = { from: days.from ?? FIRST_DAY, to: days.to ?? new Date() };
  const format = SHEET_FORMATS.find((one) => one === query.get("format"));
  if (format === undefined || !Object.hasOwn(EXPORTS, what)) notFound();
  const { columns, read } = EXPORTS[what as ExportName];
  const { database, networks, paymentLinks } = getServices();
  const deps = { db: database.reads, networks, settings: paymentLinks.settings };
  const { merchantId, timeZone } = workplace;
  const base = `${consoleSite().origin}${path}`;
  const rows = read(deps, { env, base, merchantId, timeZone, ...range, filter });
  const period = [filter.from, filter.to].flatMap((day) => day ?? []).join("-to-") || "all";
  return new Response(sheetStream(format, { name: what, columns }, rows), {
    headers: {
      "content-type": SHEET_TYPES[format],
      "content-disposition": `attachment; filename="${what}-${env}-${period}.${format}"`,
      "cache-control": "no-store",
    },
  });
}

import { notFound } from "next/navigation";
import type { NextRequest } from "next/server";
import { readMonth } from "#app/console/m/read-month.ts";
import { requireDesk } from "#app/console/session.ts";
import { SHEET_FORMATS, SHEET_TYPES, sheetStream } from "#lib/platform/sheets.ts";
import { getServices } from "#lib/web/services.ts";
import { EXPORTS, type ExportName } from "../exports.ts";

/** The rows of a month (UTC) as a file. */
export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ merchant: string; env: string }> },
): Promise<Response> {
  const { workplace, env } = await requireDesk(await params, "exports.read");
  const query = request.nextUrl.searchParams;
  const [what, month] = [query.get("what") ?? "", query.get("month")];
  const range = readMonth(month);
  const format = SHEET_FORMATS.find((one) => one === query.get("format"));
  if (range === null || format === undefined || !Object.hasOwn(EXPORTS, what)) notFound();
  const { columns, read } = EXPORTS[what as ExportName];
  const { database, networks, paymentLinks } = getServices();
  const deps = { db: database.db, networks, settings: paymentLinks.settings };
  const rows = read(deps, { env, merchantId: workplace.merchantId, ...range });
  return new Response(sheetStream(format, { name: what, columns }, rows), {
    headers: {
      "content-type": SHEET_TYPES[format],
      "content-disposition": `attachment; filename="${what}-${env}-${month}.${format}"`,
      "cache-control": "no-store",
    },
  });
}

import { notFound } from "next/navigation";
import type { NextRequest } from "next/server";
import { type ExportedEntry, exportEntries } from "#lib/domain/ledger/statements.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { getServices } from "#lib/web/services.ts";
import { requireDesk } from "../../../../../../session.ts";
import { csvDownload, readMonth } from "../../../../../csv-download.ts";

const HEAD = ["time", "entry", "token", "kind", "reversal", "amount", "balance_after", "usd"];
const USD_DECIMALS = 8;

/** The ledger entries of a month (UTC) as a file. */
export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ merchant: string; env: string }> },
): Promise<Response> {
  const { workplace, env } = await requireDesk(await params, "statements.read");
  const month = request.nextUrl.searchParams.get("month");
  const range = readMonth(month);
  if (range === null) notFound();
  const entries = exportEntries(getServices().database.db, {
    env,
    merchantId: workplace.merchantId,
    ...range,
  });
  return csvDownload(`entries-${env}-${month}`, HEAD, toLines(entries));
}

async function* toLines(parts: AsyncIterable<readonly ExportedEntry[]>) {
  for await (const part of parts) yield part.map(toLine);
}

function toLine({ at, id, token, kind, isReversal, amount, balanceAfter, usd }: ExportedEntry) {
  const { ledgerDecimals } = TOKENS[token];
  return [
    at,
    String(id),
    token,
    kind,
    isReversal ? "yes" : "no",
    formatAmount(amount, ledgerDecimals),
    formatAmount(balanceAfter, ledgerDecimals),
    usd === null ? null : formatAmount(usd, USD_DECIMALS),
  ];
}

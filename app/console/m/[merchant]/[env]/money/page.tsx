import type { Metadata } from "next";
import { describeEntries } from "#app/console/m/describe-entries.ts";
import { frameOf } from "#app/console/m/frame.ts";
import { requireDesk } from "#app/console/session.ts";
import { priceText } from "#components/checkout/money-text.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { LivePayments } from "#components/console/live-payments.tsx";
import { may } from "#lib/domain/authority/role-rules.ts";
import { valueBalances } from "#lib/domain/ledger/balance-rules.ts";
import { readEntryCause } from "#lib/domain/ledger/entry-rules.ts";
import type { HistoryCursor } from "#lib/domain/ledger/history-rules.ts";
import { getMerchantBalances, getStatistics, listHistory } from "#lib/domain/ledger/queries.ts";
import { getServices } from "#lib/web/services.ts";
import { Balances } from "./balances.tsx";
import { Entries } from "./entries.tsx";

export const metadata: Metadata = { title: "Money" };

const PAGE_SIZE = 50;
/** Statistics are in 10^-8 USD. A cent is a million of these. */
const PERCENT = 1_000_000n;

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const desk = await requireDesk(await params, "money.view");
  const { reads } = getServices().database;
  const { merchantId } = desk.workplace;
  const { env } = desk;
  const filter = { env, merchantId, token: null, direction: null, since: null, status: "executed" } as const;
  const before = readCursor((await searchParams).before);
  const [{ units }, totals, history] = await Promise.all([
    getMerchantBalances(reads, env, merchantId),
    getStatistics(reads, env, merchantId),
    listHistory(reads, filter, { before, limit: PAGE_SIZE }),
  ]);
  const described = await describeEntries(
    reads,
    merchantId,
    history.entries.map(({ cause }) => readEntryCause(cause ?? "")),
  );
  const entries = history.entries.flatMap((entry, i) => {
    const found = described[i];
    return found === undefined ? [] : [{ ...entry, described: found }];
  });
  const { displayCurrency: currency } = desk.workplace;
  const now = new Date();
  const valued = valueBalances(units, currency, (token) => getServices().rates.current(token, currency, now));
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="money"
      title="Money"
      actions={
        <div className="flex flex-wrap gap-2">
          <a href={`${desk.base}/money/withdrawals`} className="button-quiet">
            Withdrawals
          </a>
          {may(desk.workplace.role, "exports.read") && (
            <a href={`${desk.base}/exports`} className="button-quiet">
              Exports
            </a>
          )}
          <a href={`${desk.base}/money/unmatched`} className="button-quiet">
            Unmatched
          </a>
          {may(desk.workplace.role, "statements.read") && (
            <a href={`${desk.base}/money/statements`} className="button-quiet">
              Statements
            </a>
          )}
        </div>
      }
    >
      <LivePayments desk={`${desk.workplace.code}/${env}`} />
      <Balances {...valued} currency={currency} />
      <p className="text-sm text-muted">
        In all, credited {priceText(totals.credit / PERCENT, "usd", "en")} and debited{" "}
        {priceText(totals.debit / PERCENT, "usd", "en")}, at the prices of their days.
      </p>
      <Entries entries={entries} base={desk.base} />
      {history.next !== null && (
        <a href={`?before=${writeCursor(history.next)}`} className="button-quiet justify-self-center">
          Older entries
        </a>
      )}
    </ConsoleFrame>
  );
}

const writeCursor = ({ posting, refusal }: HistoryCursor) => `${posting}-${refusal}`;

/** Returns null for any text that is not a cursor: the list then begins with the newest entry. */
function readCursor(given: string | string[] | undefined): HistoryCursor | null {
  const match = typeof given === "string" ? /^([1-9][0-9]{0,14})-([1-9][0-9]{0,14})$/.exec(given) : null;
  return match === null ? null : { posting: Number(match[1]), refusal: Number(match[2]) };
}

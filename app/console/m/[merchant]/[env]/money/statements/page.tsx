import type { Metadata } from "next";
import { frameOf } from "#app/console/m/frame.ts";
import { monthIn, readMonth } from "#app/console/m/read-month.ts";
import { requireDesk } from "#app/console/session.ts";
import { tokenText } from "#components/checkout/money-text.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { zoneText } from "#components/console/zone-text.ts";
import { getStatement, isProved, type Movement, type TokenStatement } from "#lib/domain/ledger/statements.ts";
import { dateFormat } from "#lib/platform/formats.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { dayIn } from "#lib/platform/time-zone.ts";
import { getServices } from "#lib/web/services.ts";

export const metadata: Metadata = { title: "Statement" };

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const desk = await requireDesk(await params, "statements.read");
  const now = new Date();
  const { month: given } = await searchParams;
  const { timeZone } = desk.workplace;
  const month = readMonth(given, timeZone) === null ? monthIn(timeZone, now) : String(given);
  const range = readMonth(month, timeZone) ?? { from: now, to: now, lastDay: dayIn(timeZone, now) };
  const owner = { env: desk.env, merchantId: desk.workplace.merchantId };
  const tokens = await getStatement(getServices().database.reads, {
    ...owner,
    from: range.from,
    to: range.to,
  });
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="money"
      title={`Statement of ${monthText(month)}`}
      actions={
        <a
          href={`${desk.base}/exports?what=entries&from=${month}-01&to=${range.lastDay}`}
          className="button-quiet"
        >
          Export the entries
        </a>
      }
    >
      <nav aria-label="Month" className="flex flex-wrap items-center gap-2 print:hidden">
        <a href={`?month=${monthIn(timeZone, new Date(range.from.getTime() - 1))}`} className="button-quiet">
          The month before
        </a>
        {range.to <= now && (
          <a href={`?month=${monthIn(timeZone, range.to)}`} className="button-quiet">
            The month after
          </a>
        )}
      </nav>
      {range.to > now && (
        <p className="text-sm text-muted">The month is not over: this is the statement so far.</p>
      )}
      {tokens.length === 0 && (
        <p className="panel text-sm text-muted">No token moved, and there is no balance.</p>
      )}
      {tokens.map((statement) => (
        <TokenPart key={statement.token} statement={statement} />
      ))}
      <p className="text-xs text-muted">
        Months are those of {zoneText(timeZone)}. Ask for the entries to see each one with its value in USD
        when it was posted.
      </p>
    </ConsoleFrame>
  );
}

/** "November 2026" of "2026-11". */
const monthText = (month: string) =>
  dateFormat("en", { month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(`${month}-01`));

const KIND_TEXTS: Readonly<Record<string, string>> = {
  deposit: "Deposits",
  withdrawal: "Withdrawals",
  "withdrawal fee": "Fees of withdrawals",
  buy: "Buying tokens",
  "buy fee": "Fees of buying tokens",
  operator: "Booked by the operator",
};

const kindText = ({ kind, isReversal }: Movement) =>
  `${KIND_TEXTS[kind] ?? kind}${isReversal ? ", reversed" : ""}`;

function TokenPart({ statement }: { statement: TokenStatement }) {
  const { token, opening, movements, closing } = statement;
  const signed = (amount: bigint) =>
    `${amount < 0n ? "−" : "+"}${tokenText(amount < 0n ? -amount : amount, token, "en")}`;
  return (
    <section className="panel gap-2" aria-labelledby={`statement-${token}`}>
      <h2 id={`statement-${token}`} className="font-semibold">
        {TOKENS[token].name}
      </h2>
      <div className="table-wide">
        <table className="console-table">
          <tbody>
            <tr>
              <th scope="row">Opening balance</th>
              <td className="number" />
              <td className="number whitespace-nowrap">{tokenText(opening, token, "en")}</td>
            </tr>
            {movements.map((movement) => (
              <tr key={kindText(movement)}>
                <th scope="row">{kindText(movement)}</th>
                <td className="number">{movement.count}</td>
                <td className="number whitespace-nowrap">{signed(movement.amount)}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">Closing balance</th>
              <td className="number" />
              <td className="number font-semibold whitespace-nowrap">{tokenText(closing, token, "en")}</td>
            </tr>
          </tbody>
        </table>
      </div>
      {isProved(statement) ? (
        <p className="text-sm text-good">Opening balance and movements make the ledger's closing balance.</p>
      ) : (
        <p role="alert" className="text-sm font-semibold text-bad">
          Opening balance and movements do not make the ledger's closing balance. Ask the operator to run
          `paylink ledger check`.
        </p>
      )}
    </section>
  );
}

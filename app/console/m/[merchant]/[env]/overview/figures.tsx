import type { ReactNode } from "react";
import { priceText } from "#components/checkout/money-text.ts";
import { changePercent, type Overview } from "#lib/domain/payment-links/totals/rules.ts";

/** A narrow tile breaks it before its currency. */
export const usd = (cents: bigint) => priceText(cents, "usd", "en").replace("\u00a0", " ");
export const linksText = (links: number) => `${links} ${links === 1 ? "link" : "links"}`;
export const percent = (part: number, whole: number) =>
  whole === 0 ? "–" : `${Math.round((part / whole) * 100)}%`;
export const paidCount = ({ days }: Overview) => days.reduce((sum, { paid }) => sum + paid, 0);
const paidSum = ({ days }: Overview) => days.reduce((sum, { usdCents }) => sum + usdCents, 0n);

/** The figures of a period, each next to that of the period before it. */
export function Figures({
  count,
  period,
  before,
  today,
  yesterday,
  until,
}: {
  count: number;
  period: Overview;
  before: Overview;
  today: Overview;
  /** The part of yesterday that today is compared with. */
  yesterday: Overview;
  /** The end of that part, "14:15". */
  until: string;
}) {
  const [created, createdBefore] = [period.funnel.created, before.funnel.created];
  const volume = changePercent(paidSum(before), paidSum(period));
  const links = changePercent(BigInt(createdBefore), BigInt(created));
  return (
    <section className="grid grid-cols-2 gap-3 lg:grid-cols-4" aria-label="Figures">
      <Figure name="Paid today" text={usd(paidSum(today))} more={linksText(paidCount(today))}>
        {paidCount(yesterday) > 0 && `${usd(paidSum(yesterday))} yesterday until ${until}`}
      </Figure>
      <Figure name={`Paid in ${count} days`} text={usd(paidSum(period))} more={linksText(paidCount(period))}>
        {changeText(volume, ["%", "%"], count)}
      </Figure>
      <Figure
        name={`Links made in ${count} days`}
        text={String(created)}
        more={`${today.funnel.created} today`}
      >
        {changeText(links, ["%", "%"], count)}
      </Figure>
      <Figure
        name="Conversion"
        text={percent(period.funnel.paid, created)}
        more={`${period.funnel.paid} of ${linksText(created)} are paid`}
      >
        {changeText(pointsBetween(before, period), [" point", " points"], count)}
      </Figure>
    </section>
  );
}

/** By how many points the conversion has changed. Null if one of the periods has no links. */
function pointsBetween({ funnel: before }: Overview, { funnel: after }: Overview): number | null {
  if (before.created === 0 || after.created === 0) return null;
  return Math.round((after.paid / after.created - before.paid / before.created) * 100);
}

function Figure({
  name,
  text,
  more,
  children,
}: {
  name: string;
  text: string;
  more: string;
  /** The figure of the period before, in words. */
  children: ReactNode;
}) {
  return (
    <div className="panel gap-1 p-3 sm:p-4">
      <h2 className="text-sm text-muted">{name}</h2>
      <p className="text-base font-semibold break-words tabular-nums sm:text-xl">{text}</p>
      <p className="text-sm text-muted tabular-nums">{more}</p>
      {children && <p className="text-xs text-muted tabular-nums">{children}</p>}
    </div>
  );
}

/** Such as "+12% against the 30 days before". Null if nothing was before. */
function changeText(
  by: number | null,
  [one, many]: readonly [one: string, many: string],
  count: number,
): ReactNode {
  if (by === null) return null;
  if (by === 0) return `the same as the ${count} days before`;
  return (
    <>
      <b className={by > 0 ? "text-good" : "text-bad"}>
        {by < 0 ? "−" : "+"}
        {Math.abs(by).toLocaleString("en")}
        {Math.abs(by) === 1 ? one : many}
      </b>{" "}
      against the {count} days before
    </>
  );
}

import type { Metadata } from "next";
import { frameOf } from "#app/console/m/frame.ts";
import { requireDesk } from "#app/console/session.ts";
import { priceText } from "#components/checkout/money-text.ts";
import { ChartPanel, DayBars, LineBars } from "#components/console/charts/bars.tsx";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { LivePayments } from "#components/console/live-payments.tsx";
import { NETWORKS } from "#lib/chains/networks.ts";
import { TIME_STEPS } from "#lib/domain/payment-links/totals/count-days.ts";
import { listDayMetrics } from "#lib/domain/payment-links/totals/queries.ts";
import { firstDay, type Overview, summarizeDays } from "#lib/domain/payment-links/totals/rules.ts";
import { getServices } from "#lib/web/services.ts";
import { Attention } from "./attention.tsx";

export const metadata: Metadata = { title: "Overview" };

const PERIODS = [7, 30, 90] as const;

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const desk = await requireDesk(await params, "payments.view");
  const { days } = await searchParams;
  const count = PERIODS.find((one) => String(one) === days) ?? 30;
  const now = new Date();
  const owner = { merchantId: desk.workplace.merchantId, env: desk.env };
  const { db } = getServices().database;
  const metrics = await listDayMetrics(db, { ...owner, since: firstDay(count, now) });
  const today = summarizeDays(metrics, { count: 1, steps: TIME_STEPS, now });
  const period = summarizeDays(metrics, { count, steps: TIME_STEPS, now });
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="overview"
      title="Overview"
      actions={<Periods chosen={count} />}
    >
      <LivePayments desk={`${desk.workplace.code}/${desk.env}`} />
      <section className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4" aria-label="Figures">
        <Figure name="Paid today" text={usd(sumOf(today))} more={linksText(countOf(today))} />
        <Figure name={`Paid in ${count} days`} text={usd(sumOf(period))} more={linksText(countOf(period))} />
        <Figure
          name="Links made today"
          text={String(today.funnel.created)}
          more={`${period.funnel.created} in ${count} days`}
        />
        <Figure
          name="Conversion"
          text={percent(period.funnel.paid, period.funnel.created)}
          more={`of the links of ${count} days are paid`}
        />
      </section>
      <Attention desk={desk} now={now} />
      {period.funnel.created === 0 && countOf(period) === 0 ? (
        <p className="panel justify-items-center py-12 text-center text-muted">
          No links in these {count} days. Charts begin with the first one.
        </p>
      ) : (
        <Charts period={period} count={count} />
      )}
      <p className="text-xs text-muted">
        Days are in UTC. Values are those of the links when they were made, in USD: what comes on top of an
        overpaid link is not in them.
      </p>
    </ConsoleFrame>
  );
}

/** A narrow tile breaks it before its currency. */
const usd = (cents: bigint) => priceText(cents, "usd", "en").replace("\u00a0", " ");
const linksText = (links: number) => `${links} ${links === 1 ? "link" : "links"}`;
const percent = (part: number, whole: number) => (whole === 0 ? "–" : `${Math.round((part / whole) * 100)}%`);
const sumOf = ({ days }: Overview) => days.reduce((sum, { usdCents }) => sum + usdCents, 0n);
const countOf = ({ days }: Overview) => days.reduce((sum, { paid }) => sum + paid, 0);
/** Part of the largest value, for drawing. */
const shareOf = (value: bigint, largest: bigint) =>
  largest === 0n ? 0 : Number((value * 10_000n) / largest) / 10_000;
const largestOf = (values: readonly bigint[]) => values.toSorted((a, b) => (a < b ? 1 : -1))[0] ?? 0n;

function Periods({ chosen }: { chosen: number }) {
  return (
    <nav aria-label="Period" className="flex gap-1">
      {PERIODS.map((days) => (
        <a
          key={days}
          href={`?days=${days}`}
          className="nav-item min-h-8"
          aria-current={days === chosen ? "true" : undefined}
        >
          {days} days
        </a>
      ))}
    </nav>
  );
}

function Figure({ name, text, more }: { name: string; text: string; more: string }) {
  return (
    <div className="panel gap-1">
      <h2 className="text-sm text-muted">{name}</h2>
      <p className="text-xl font-semibold break-words tabular-nums">{text}</p>
      <p className="text-sm text-muted tabular-nums">{more}</p>
    </div>
  );
}

function Charts({ period, count }: { period: Overview; count: number }) {
  return (
    <>
      <VolumeChart period={period} count={count} />
      <div className="grid items-start gap-4 lg:grid-cols-3">
        <FunnelChart period={period} />
        <NetworkChart period={period} />
        <TimeChart period={period} />
      </div>
    </>
  );
}

function VolumeChart({ period: { days }, count }: { period: Overview; count: number }) {
  const largest = largestOf(days.map(({ usdCents }) => usdCents));
  return (
    <ChartPanel
      title="Paid volume"
      summary={`${count} days, the best with ${usd(largest)}`}
      table={{
        head: ["Day", "Links", "USD"],
        rows: days.map(({ day, paid, usdCents }) => [day, String(paid), usd(usdCents)] as const).reverse(),
      }}
    >
      <DayBars
        bars={days.map(({ day, paid, usdCents }) => ({
          name: day,
          text: `${usd(usdCents)}, ${linksText(paid)}`,
          share: shareOf(usdCents, largest),
        }))}
      />
    </ChartPanel>
  );
}

function FunnelChart({ period: { funnel } }: { period: Overview }) {
  const steps = [
    ["Made", funnel.created],
    ["Network chosen", funnel.opened],
    ["Money seen", funnel.seen],
    ["Paid", funnel.paid],
  ] as const;
  return (
    <ChartPanel
      title="Conversion"
      table={{
        head: ["Step", "Links", "Of all"],
        rows: steps.map(([name, links]) => [name, String(links), percent(links, funnel.created)]),
      }}
    >
      <LineBars
        bars={steps.map(([name, links]) => ({
          name,
          text: `${links} (${percent(links, funnel.created)})`,
          share: funnel.created === 0 ? 0 : Math.min(links / funnel.created, 1),
        }))}
      />
    </ChartPanel>
  );
}

const networkText = (code: string) => Object.values(NETWORKS).find((one) => one.code === code)?.name ?? code;

function NetworkChart({ period: { networks } }: { period: Overview }) {
  const largest = largestOf(networks.map(({ usdCents }) => usdCents));
  return (
    <ChartPanel
      title="By network"
      table={{
        head: ["Network", "Links", "USD"],
        rows: networks.map(({ network, paid, usdCents }) => [
          networkText(network),
          String(paid),
          usd(usdCents),
        ]),
      }}
    >
      {networks.length === 0 && <p className="text-sm text-muted">Nothing was paid yet.</p>}
      <LineBars
        bars={networks.map(({ network, paid, usdCents }) => ({
          name: networkText(network),
          text: `${usd(usdCents)}, ${linksText(paid)}`,
          share: shareOf(usdCents, largest),
        }))}
      />
    </ChartPanel>
  );
}

const minutesText = (minutes: number) =>
  minutes < 60 ? `${minutes} minutes` : minutes === 60 ? "1 hour" : `${minutes / 60} hours`;

function TimeChart({ period }: { period: Overview }) {
  const total = period.times.reduce((sum, { paid }) => sum + paid, 0);
  const steps = period.times.map(({ minutes, paid }, i) => {
    const from = minutesText(TIME_STEPS[i - 1] ?? 0);
    if (minutes === null) return { name: `Longer than ${from}`, paid };
    return { name: i === 0 ? `Up to ${minutesText(minutes)}` : `${from} to ${minutesText(minutes)}`, paid };
  });
  return (
    <ChartPanel
      title="Time to paid"
      table={{
        head: ["Time from making the link", "Links", "Of all"],
        rows: steps.map(({ name, paid }) => [name, String(paid), percent(paid, total)]),
      }}
    >
      <LineBars
        bars={steps.map(({ name, paid }) => ({
          name,
          text: `${paid} (${percent(paid, total)})`,
          share: total === 0 ? 0 : paid / total,
        }))}
      />
    </ChartPanel>
  );
}

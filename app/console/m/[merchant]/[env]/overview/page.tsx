import type { Metadata } from "next";
import { frameOf } from "#app/console/m/frame.ts";
import { requireDesk } from "#app/console/session.ts";
import { axisText, axisValues } from "#components/console/charts/axis-rules.ts";
import { ChartPanel, ChartTable, LineBars } from "#components/console/charts/bars.tsx";
import { DayChart } from "#components/console/charts/day-chart.tsx";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { LivePayments } from "#components/console/live-payments.tsx";
import { zoneText } from "#components/console/zone-text.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { TIME_STEPS } from "#lib/domain/payment-links/totals/count-days.ts";
import { listDayMetrics, listPartMetrics } from "#lib/domain/payment-links/totals/queries.ts";
import {
  cutAtDay,
  type DayMetric,
  dayBefore,
  type Overview,
  partOfDay,
  summarizeDays,
} from "#lib/domain/payment-links/totals/rules.ts";
import { dayIn, timeOfDay } from "#lib/platform/time-zone.ts";
import { getServices } from "#lib/web/services.ts";
import { Attention } from "./attention.tsx";
import { Figures, linksText, paidCount, percent, usd } from "./figures.tsx";
import { FirstSteps } from "./first-steps.tsx";

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
  const { reads } = getServices().database;
  const { timeZone } = desk.workplace;
  const today = dayIn(timeZone, now);
  const yesterday = partOfDay(timeZone, { day: dayBefore(today, 1), now });
  const lastBefore = partOfDay(timeZone, { day: dayBefore(today, count), now });
  const [metrics, ofYesterday, ofLastBefore] = await Promise.all([
    listDayMetrics(reads, { ...owner, timeZone, since: dayBefore(today, 2 * count - 1) }),
    listPartMetrics(reads, owner, yesterday),
    listPartMetrics(reads, owner, lastBefore),
  ]);
  const summarize = (days: number, lastDay: string, counted: readonly DayMetric[]) =>
    summarizeDays(counted, { count: days, steps: TIME_STEPS, lastDay });
  const period = summarize(count, today, metrics);
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="overview"
      title="Overview"
      actions={<Periods chosen={count} />}
    >
      <LivePayments desk={`${desk.workplace.code}/${desk.env}`} />
      <FirstSteps desk={desk} />
      <Figures
        count={count}
        period={period}
        before={summarize(count, lastBefore.day, cutAtDay(metrics, lastBefore.day, ofLastBefore))}
        today={summarize(1, today, metrics)}
        yesterday={summarize(1, yesterday.day, ofYesterday)}
        until={timeOfDay(timeZone, yesterday.to)}
      />
      <Attention desk={desk} now={now} />
      {period.funnel.created === 0 && paidCount(period) === 0 ? (
        <p className="panel justify-items-center py-12 text-center text-muted">
          No links in these {count} days. Charts begin with the first one.
        </p>
      ) : (
        <Charts period={period} count={count} />
      )}
      <p className="text-xs text-muted">
        Days are those of {zoneText(timeZone)}. Today is not over, so it is compared with days until the same
        quarter of an hour. Values are those of the links when they were made, in USD: what comes on top of an
        overpaid link is not in them.
      </p>
    </ConsoleFrame>
  );
}

/** Part of the largest value, for drawing. */
const shareOf = (value: bigint, largest: bigint) =>
  largest === 0n ? 0 : Number((value * 10_000n) / largest) / 10_000;

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

function Charts({ period, count }: { period: Overview; count: number }) {
  return (
    <>
      <VolumeChart period={period} count={count} />
      <div className="grid gap-4 lg:grid-cols-3">
        <FunnelChart period={period} />
        <NetworkChart period={period} />
        <TimeChart period={period} />
      </div>
    </>
  );
}

function VolumeChart({ period: { days }, count }: { period: Overview; count: number }) {
  const best = days.reduce((one, day) => (day.usdCents > one.usdCents ? day : one));
  const axis = axisValues(best.usdCents);
  const top = axis.at(-1) ?? 0n;
  const textOf = ({ usdCents, paid }: Overview["days"][number]) => `${usd(usdCents)}, ${linksText(paid)}`;
  if (top === 0n)
    return (
      <ChartPanel title="Paid volume">
        <p className="text-sm text-muted">Nothing was paid in these {count} days.</p>
      </ChartPanel>
    );
  return (
    <ChartPanel title="Paid volume">
      <DayChart
        label="Paid volume by day"
        bars={days.map((one) => ({ day: one.day, text: textOf(one), share: shareOf(one.usdCents, top) }))}
        axis={axis.map((value) => axisText(value, "usd"))}
        summary={`${count} days, the best with ${usd(best.usdCents)}`}
      />
      <ChartTable
        head={["Day", "Links", "USD"]}
        rows={days.map(({ day, paid, usdCents }) => [day, String(paid), usd(usdCents)]).reverse()}
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
    <ChartPanel title="Conversion">
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
  // The greatest value comes first.
  const largest = networks[0]?.usdCents ?? 0n;
  return (
    <ChartPanel title="By network">
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

/** Such as "2 to 5 minutes" or "15 minutes to 1 hour". */
const spanText = (from: number, to: number) =>
  `${to < 60 || from >= 60 ? minutesText(from).split(" ")[0] : minutesText(from)} to ${minutesText(to)}`;

function TimeChart({ period }: { period: Overview }) {
  const total = period.times.reduce((sum, { paid }) => sum + paid, 0);
  const steps = period.times.map(({ minutes, paid }, i) => {
    const from = TIME_STEPS[i - 1] ?? 0;
    if (minutes === null) return { name: `Longer than ${minutesText(from)}`, paid };
    return { name: i === 0 ? `Up to ${minutesText(minutes)}` : spanText(from, minutes), paid };
  });
  return (
    <ChartPanel title="Time to paid">
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

import { dayAfter, dayIn, startOfDay, timeOfDay } from "#lib/platform/time-zone.ts";

/** The total of the links of a merchant's day, for one metric (count-days.ts). */
export interface DayMetric {
  /** "2026-11-24", in the merchant's time zone. */
  readonly day: string;
  readonly metric: string;
  readonly count: number;
  readonly usdCents: bigint;
}

/** How far the links that were created in a period came. Each count includes the next ones. */
interface Funnel {
  readonly created: number;
  readonly opened: number;
  readonly seen: number;
  readonly paid: number;
}

/** The figures of a period of days. */
export interface Overview {
  /** One for each day of the period, the oldest first. */
  readonly days: readonly { readonly day: string; readonly paid: number; readonly usdCents: bigint }[];
  readonly funnel: Funnel;
  /** Links that were paid in the period and their value, by network, the greatest value first. */
  readonly networks: readonly {
    readonly network: string;
    readonly paid: number;
    readonly usdCents: bigint;
  }[];
  /** Links that were paid in the period, for each step of the time to paid. `minutes` null: longer than the last. */
  readonly times: readonly { readonly minutes: number | null; readonly paid: number }[];
}

const DAY_MS = 86_400_000;

const QUARTER_MS = 15 * 60_000;

/** The day that is so many days before a day. */
export const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

/** A day of a time zone: its first instant, and that of the next day. */
export interface ZonedDay {
  readonly day: string;
  readonly from: Date;
  readonly to: Date;
}

/** The days of a time zone from that of one instant to that of another. */
export function listDays(zone: string, first: Date, last: Date): ZonedDay[] {
  const end = dayIn(zone, last);
  const days: ZonedDay[] = [];
  let from = startOfDay(zone, dayIn(zone, first));
  for (let day = dayIn(zone, first); day <= end; day = dayAfter(day)) {
    const to = startOfDay(zone, dayAfter(day));
    days.push({ day, from, to });
    from = to;
  }
  return days;
}

/**
 * The part of an earlier day that ends at the same time of day as `now`, at the last full quarter of an hour: today is compared with it. A
 * whole day before would always be more. The time is that of the clock: one of both days may have 23 or 25 hours.
 */
export function partOfDay(
  zone: string,
  { day, now }: { readonly day: string; readonly now: Date },
): ZonedDay {
  const until = timeOfDay(zone, new Date(Math.floor(now.getTime() / QUARTER_MS) * QUARTER_MS));
  const from = startOfDay(zone, day);
  let to = startOfDay(zone, dayAfter(day));
  while (to > from) {
    const quarter = new Date(to.getTime() - QUARTER_MS);
    if (timeOfDay(zone, quarter) < until) break;
    to = quarter;
  }
  return { day, from, to };
}

/** The metrics of a period whose last day is cut: whole days before, and the part of that day. */
export const cutAtDay = (
  metrics: readonly DayMetric[],
  day: string,
  part: readonly DayMetric[],
): DayMetric[] => [...metrics.filter((one) => one.day < day), ...part];

/** By how many percent a figure has changed, rounded. Null if there was nothing before. */
export function changePercent(before: bigint, after: bigint): number | null {
  if (before <= 0n) return null;
  const [change, half] = [(after - before) * 200n, after < before ? -before : before];
  return Number((change + half) / (2n * before));
}

/** The figures of the `count` days until `lastDay`. Ignores metrics of other days. `steps`: TIME_STEPS. */
export function summarizeDays(
  metrics: readonly DayMetric[],
  {
    count,
    steps,
    lastDay,
  }: { readonly count: number; readonly steps: readonly number[]; readonly lastDay: string },
): Overview {
  const since = dayBefore(lastDay, count - 1);
  const shown = metrics.filter(({ day }) => day >= since && day <= lastDay);
  const countOf = (metric: string) =>
    shown.filter((one) => one.metric === metric).reduce((sum, one) => sum + one.count, 0);
  const volumes = shown.filter(({ metric }) => metric.startsWith("volume:"));
  const add = (rows: readonly DayMetric[]) => ({
    paid: rows.reduce((sum, row) => sum + row.count, 0),
    usdCents: rows.reduce((sum, row) => sum + row.usdCents, 0n),
  });
  const networks = [...Map.groupBy(volumes, ({ metric }) => metric.slice("volume:".length))];
  const byDay = Map.groupBy(volumes, ({ day }) => day);
  return {
    days: Array.from({ length: count }, (_, i) => {
      const day = dayBefore(lastDay, count - 1 - i);
      return { day, ...add(byDay.get(day) ?? []) };
    }),
    funnel: {
      created: countOf("created"),
      opened: countOf("opened"),
      seen: countOf("seen"),
      paid: countOf("paid"),
    },
    networks: networks
      .map(([network, rows]) => ({ network, ...add(rows) }))
      .sort((a, b) => (a.usdCents === b.usdCents ? b.paid - a.paid : a.usdCents < b.usdCents ? 1 : -1)),
    times: [...steps, null].map((minutes) => ({ minutes, paid: countOf(`time:${minutes ?? "more"}`) })),
  };
}

/** The total of the links of a merchant's day, for one metric (count-days.ts). */
export interface DayMetric {
  /** "2026-11-24", in UTC. */
  readonly day: string;
  readonly metric: string;
  readonly count: number;
  readonly usdCents: bigint;
}

/** How far the links that were created in a period came. Each count includes the next ones. */
export interface Funnel {
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

/** The day of a time in UTC, "2026-11-24". */
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The first of `count` days that end with that of `now`. */
export const firstDay = (count: number, now: Date): string =>
  dayOf(new Date(now.getTime() - (count - 1) * DAY_MS));

/** A time on the last of the `count` days that come before those that end with that of `now`. */
export const periodBefore = (count: number, now: Date): Date => new Date(now.getTime() - count * DAY_MS);

/** By how many percent a figure has changed, rounded. Null if there was nothing before. */
export function changePercent(before: bigint, after: bigint): number | null {
  if (before <= 0n) return null;
  const [change, half] = [(after - before) * 200n, after < before ? -before : before];
  return Number((change + half) / (2n * before));
}

/** The figures of the `count` days until `now`. Ignores metrics of other days. `steps`: TIME_STEPS. */
export function summarizeDays(
  metrics: readonly DayMetric[],
  { count, steps, now }: { readonly count: number; readonly steps: readonly number[]; readonly now: Date },
): Overview {
  const since = firstDay(count, now);
  const shown = metrics.filter(({ day }) => day >= since && day <= dayOf(now));
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
      const day = firstDay(count - i, now);
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

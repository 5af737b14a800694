import { sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { dayIn, startOfDay } from "#lib/platform/time-zone.ts";
import type { DayMetric, ZonedDay } from "./rules.ts";

/** A merchant in an environment. */
interface Owner {
  readonly merchantId: number;
  readonly env: Env;
}

/**
 * The totals of a merchant's days from `since` ("2026-11-24", in its time zone), exact at the time of the call: changes that are not
 * added yet count. The cost grows with the number of days, not of links.
 */
export async function listDayMetrics(
  db: Db,
  { merchantId, env, timeZone, since }: Owner & { readonly timeZone: string; readonly since: string },
): Promise<DayMetric[]> {
  const { rows } = await db.execute<{
    day: string | null;
    at: string | null;
    metric: string;
    count: number;
    cents: string;
  }>(sql`
    select day::text as day, null as at, metric, count::double precision as count, usd_cents::text as cents from link_days
    where merchant_id = ${merchantId} and env = ${env} and day >= ${since}
    union all
    select null, floor(extract(epoch from quarter) * 1000)::text, metric, sum(count)::double precision, sum(usd_cents)::text
    from link_day_changes
    where merchant_id = ${merchantId} and env = ${env} and quarter >= ${startOfDay(timeZone, since).toISOString()}::timestamptz
    group by quarter, metric`);
  const parts = rows.map(({ day, at, metric, count, cents }) => ({
    day: day ?? dayIn(timeZone, new Date(Number(at))),
    metric,
    count,
    usdCents: BigInt(cents),
  }));
  return [...Map.groupBy(parts, ({ day, metric }) => `${day} ${metric}`).values()]
    .map(addUp)
    .filter(({ count }) => count !== 0);
}

function addUp(parts: readonly DayMetric[]): DayMetric {
  const { day = "", metric = "" } = parts[0] ?? {};
  return {
    day,
    metric,
    count: parts.reduce((sum, part) => sum + part.count, 0),
    usdCents: parts.reduce((sum, part) => sum + part.usdCents, 0n),
  };
}

/** The totals of a part of a day, which begins and ends with a quarter of an hour. Exact like listDayMetrics. */
export async function listPartMetrics(
  db: Db,
  { merchantId, env }: Owner,
  { day, from, to }: ZonedDay,
): Promise<DayMetric[]> {
  const isPart = sql`merchant_id = ${merchantId} and env = ${env}
    and quarter >= ${from.toISOString()}::timestamptz and quarter < ${to.toISOString()}::timestamptz`;
  const { rows } = await db.execute<{ metric: string; count: number; cents: string }>(sql`
    select metric, sum(count)::double precision as count, sum(usd_cents)::text as cents from (
      select metric, count, usd_cents from link_quarters where ${isPart}
      union all
      select metric, count, usd_cents from link_day_changes where ${isPart}
    ) as parts
    group by 1 having sum(count) <> 0 order by 1`);
  return rows.map(({ metric, count, cents }) => ({ day, metric, count, usdCents: BigInt(cents) }));
}

/** True if a link of the merchant has been paid in full. */
export async function hasPaidLink(
  db: Db,
  { merchantId, env }: { readonly merchantId: number; readonly env: Env },
): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from payment_links
    where merchant_id = ${merchantId} and env = ${env} and state in ('completed', 'overpaid') limit 1`);
  return rows.length > 0;
}

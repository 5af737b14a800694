import { sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { DayMetric } from "./rules.ts";

/**
 * The totals of a merchant's days from `since` ("2026-11-24", UTC), exact at the time of the call: changes that are not
 * added yet count. The cost grows with the number of days, not of links.
 */
export async function listDayMetrics(
  db: Db,
  { merchantId, env, since }: { readonly merchantId: number; readonly env: Env; readonly since: string },
): Promise<DayMetric[]> {
  const { rows } = await db.execute<{ day: string; metric: string; count: number; cents: string }>(sql`
    select day::text as day, metric, sum(count)::double precision as count, sum(usd_cents)::text as cents from (
      select day, metric, count, usd_cents from link_day_totals
      where merchant_id = ${merchantId} and env = ${env} and day >= ${since}
      union all
      select day, metric, count, usd_cents from link_day_changes
      where merchant_id = ${merchantId} and env = ${env} and day >= ${since}
    ) as parts
    group by 1, 2 having sum(count) <> 0 order by 1, 2`);
  return rows.map(({ day, metric, count, cents }) => ({ day, metric, count, usdCents: BigInt(cents) }));
}

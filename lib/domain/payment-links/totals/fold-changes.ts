import { sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { dayIn } from "#lib/platform/time-zone.ts";
import { listDays } from "./rules.ts";

/** Changes that one call adds to the totals. */
const AT_ONCE = 10_000;
/** Key of the advisory lock of the process that adds to the totals. */
const LOCK = 0x64_61_79;

interface Change {
  readonly merchantId: number;
  readonly env: Env;
  readonly zone: string;
  readonly quarter: Date;
  readonly metric: string;
  readonly count: string;
  readonly usdCents: string;
}

/**
 * Adds the changes so far to the totals of quarters and days, and deletes them. One process at a time: others return at once. Returns how
 * many changes were added, at most 10,000.
 */
export async function foldDayChanges(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const lock = await tx.execute<{ free: boolean }>(sql`select pg_try_advisory_xact_lock(${LOCK}) as free`);
    if (lock.rows[0]?.free !== true) return 0;
    const { folded, changes } = await takeChanges(tx);
    if (changes.length > 0) await insertTotals(tx, changes);
    return folded;
  });
}

/** Deletes the oldest changes. Returns their number, and their sums. */
async function takeChanges(tx: Tx): Promise<{ readonly folded: number; readonly changes: Change[] }> {
  const { rows } = await tx.execute<{
    merchant: string;
    env: Env;
    zone: string;
    at: string;
    metric: string;
    count: string;
    cents: string;
    folded: string;
  }>(sql`
    with gone as (
      delete from link_day_changes where id in (select id from link_day_changes order by id limit ${AT_ONCE})
      returning *
    )
    select g.merchant_id as merchant, g.env, m.time_zone as zone, floor(extract(epoch from g.quarter) * 1000)::text as at,
      g.metric, sum(g.count)::text as count, sum(g.usd_cents)::text as cents, count(*) as folded
    from gone g join merchants m on m.id = g.merchant_id
    group by g.merchant_id, g.env, m.time_zone, g.quarter, g.metric`);
  return {
    folded: rows.reduce((sum, { folded }) => sum + Number(folded), 0),
    changes: rows.map((row) => ({
      merchantId: Number(row.merchant),
      env: row.env,
      zone: row.zone,
      quarter: new Date(Number(row.at)),
      metric: row.metric,
      count: row.count,
      usdCents: row.cents,
    })),
  };
}

/** Adds sums to the totals. The days are those of our time zones, as the pages have them: a database may know others. */
async function insertTotals(tx: Tx, changes: readonly Change[]): Promise<void> {
  const column = (read: (change: Change) => unknown) => changes.map(read);
  await tx.execute(sql`
    with changed as (
      select * from unnest(
        ${sqlArray(
          column(({ merchantId }) => merchantId),
          "bigint",
        )},
        ${sqlArray(
          column(({ env }) => env),
          "text",
        )},
        ${sqlArray(
          column(({ quarter }) => quarter.toISOString()),
          "timestamptz",
        )},
        ${sqlArray(
          column(({ zone, quarter }) => dayIn(zone, quarter)),
          "text",
        )},
        ${sqlArray(
          column(({ metric }) => metric),
          "text",
        )},
        ${sqlArray(
          column(({ count }) => count),
          "bigint",
        )},
        ${sqlArray(
          column(({ usdCents }) => usdCents),
          "numeric",
        )}
      ) as c(merchant_id, env, quarter, day, metric, count, usd_cents)
    ), quarters as (
      insert into link_quarters as t (merchant_id, env, quarter, metric, count, usd_cents)
      select merchant_id, env, quarter, metric, count, usd_cents from changed
      on conflict (merchant_id, env, quarter, metric)
      do update set count = t.count + excluded.count, usd_cents = t.usd_cents + excluded.usd_cents
    )
    insert into link_days as t (merchant_id, env, day, metric, count, usd_cents)
    select merchant_id, env, day::date, metric, sum(count), sum(usd_cents) from changed group by 1, 2, 3, 4
    on conflict (merchant_id, env, day, metric)
    do update set count = t.count + excluded.count, usd_cents = t.usd_cents + excluded.usd_cents`);
}

/** Adds up a merchant's days again, as those of another time zone. Waits for a process that adds to the totals. */
export async function recountDays(tx: Tx, merchantId: number, zone: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
  await tx.execute(sql`delete from link_days where merchant_id = ${merchantId}`);
  const { rows } = await tx.execute<{ first: string | null; last: string | null }>(sql`
    select min(quarter)::text as first, max(quarter)::text as last from link_quarters where merchant_id = ${merchantId}`);
  const [range] = rows;
  if (range === undefined || range.first === null || range.last === null) return;
  const days = listDays(zone, new Date(range.first), new Date(range.last));
  await tx.execute(sql`
    insert into link_days (merchant_id, env, day, metric, count, usd_cents)
    select q.merchant_id, q.env, d.day::date, q.metric, sum(q.count), sum(q.usd_cents)
    from unnest(
      ${sqlArray(
        days.map(({ day }) => day),
        "text",
      )},
      ${sqlArray(
        days.map(({ from }) => from.toISOString()),
        "timestamptz",
      )},
      ${sqlArray(
        days.map(({ to }) => to.toISOString()),
        "timestamptz",
      )}
    ) as d(day, "from", "to")
    cross join unnest(array['live', 'test']) as e(env)
    join link_quarters q on q.merchant_id = ${merchantId} and q.env = e.env and q.quarter >= d."from" and q.quarter < d."to"
    group by 1, 2, 3, 4`);
}

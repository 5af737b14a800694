import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#lib/platform/db/connection.ts";

/**
 * The metrics that a link adds to the totals of its merchant's days, in UTC:
 *
 * | Metric | Day of | Counts links that |
 * |---|---|---|
 * | created | creation | exist |
 * | opened | creation | have an address: somebody chose a network |
 * | seen | creation | money was seen for |
 * | paid | creation | are completed or overpaid |
 * | volume:<network> | completion | were completed by a payment there; `usd_cents` is their value when they were created |
 * | time:<minutes> | completion | were paid within that many minutes of their creation, and not within the step before |
 *
 * The first four follow the links of one day: their ratios are the conversion of that day's links.
 */
const DAY_METRICS = "link_day_changes (merchant_id, env, day, metric, count, usd_cents)";

/** Upper ends of the steps of the time to paid, in minutes. "more" is above the last. */
export const TIME_STEPS = [2, 5, 15, 60, 1_440] as const;

const dayOf = (column: string): SQL => sql.raw(`(${column} at time zone 'UTC')::date`);

/** The step of the link's time to paid, as in the metric. */
const timeStep = sql.raw(
  `case ${TIME_STEPS.map((minutes) => `when l.completed_at - l.created_at <= interval '${minutes} minutes' then 'time:${minutes}'`).join(" ")} else 'time:more' end`,
);

/** The totals that the state of each link in `links` (a name of rows) adds, times `factor`. */
const stateTotals = (links: string, factor: 1 | -1): SQL => sql`
  select l.merchant_id, l.env, part.day, part.metric, part.count * ${sql.raw(String(factor))} as count,
    part.usd_cents * ${sql.raw(String(factor))} as usd_cents
  from ${sql.raw(links)} l
  cross join lateral (values (
    l.state in ('partial', 'detected', 'completed', 'overpaid', 'failed'), l.state in ('completed', 'overpaid')
  )) as fact(seen, paid)
  cross join lateral (values
    (${dayOf("l.created_at")}, 'seen', fact.seen::integer, 0::numeric),
    (${dayOf("l.created_at")}, 'paid', fact.paid::integer, 0::numeric),
    (${dayOf("l.completed_at")}, 'volume:' || coalesce(l.paid_network, 'unknown'), fact.paid::integer,
      fact.paid::integer * coalesce(l.usd_cents, 0)),
    (${dayOf("l.completed_at")}, ${timeStep}, fact.paid::integer, 0::numeric)
  ) as part(day, metric, count, usd_cents)
  where part.count > 0`;

/** Statement that counts new links. `inserted`: the name of their rows. */
export function insertCreated(inserted: string): SQL {
  return sql`insert into ${sql.raw(DAY_METRICS)}
    select l.merchant_id, l.env, ${dayOf("l.created_at")}, part.metric, count(*), 0
    from ${sql.raw(inserted)} l
    cross join lateral (values ('created', true), ('opened', l.state <> 'open')) as part(metric, applies)
    where part.applies group by 1, 2, 3, 4`;
}

/**
 * Statement that adds what a change of states changes. `before` and `after`: the names of the links' rows before and after
 * it. A reverted state is subtracted from the day that it was counted for.
 */
export function insertStateChanges(before: string, after: string): SQL {
  return sql`insert into ${sql.raw(DAY_METRICS)}
    select merchant_id, env, day, metric, sum(count), sum(usd_cents) from (
      ${stateTotals(before, -1)}
      union all
      ${stateTotals(after, 1)}
      union all
      select l.merchant_id, l.env, ${dayOf("l.created_at")}, 'opened', 1, 0
      from ${sql.raw(before)} b join ${sql.raw(after)} l on l.id = b.id
      where b.state = 'open' and l.state not in ('open', 'expired')
    ) as changes
    group by 1, 2, 3, 4 having sum(count) <> 0 or sum(usd_cents) <> 0`;
}

/** Changes that one statement adds to the totals. */
const AT_ONCE = 10_000;
/** Key of the advisory lock of the process that adds. */
const LOCK = 0x64_61_79;

/**
 * Adds the changes so far to the totals, and deletes them. One process at a time: others return at once. Returns how many
 * changes were added, at most 10,000.
 */
export async function foldDayChanges(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const lock = await tx.execute<{ free: boolean }>(sql`select pg_try_advisory_xact_lock(${LOCK}) as free`);
    if (lock.rows[0]?.free !== true) return 0;
    const { rows } = await tx.execute<{ n: number }>(sql`
      with gone as (
        delete from link_day_changes where id in (select id from link_day_changes order by id limit ${AT_ONCE})
        returning *
      ), added as (
        insert into link_day_totals as t (merchant_id, env, day, metric, count, usd_cents)
        select merchant_id, env, day, metric, sum(count), sum(usd_cents) from gone group by 1, 2, 3, 4
        on conflict (merchant_id, env, day, metric)
        do update set count = t.count + excluded.count, usd_cents = t.usd_cents + excluded.usd_cents
      )
      select count(*)::integer as n from gone`);
    return rows[0]?.n ?? 0;
  });
}

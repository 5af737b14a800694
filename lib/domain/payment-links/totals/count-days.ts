import { type SQL, sql } from "drizzle-orm";

/**
 * The metrics that a link adds to the totals of its merchant's quarters of an hour and days:
 *
 * | Metric | Time of | Counts links that |
 * |---|---|---|
 * | created | creation | exist |
 * | opened | creation | have an address: somebody chose a network |
 * | seen | creation | money was seen for |
 * | paid | creation | are completed or overpaid |
 * | volume:<network> | completion | were completed by a payment there; `usd_cents` is their value when they were created |
 * | time:<minutes> | completion | were paid within that many minutes of their creation, and not within the step before |
 *
 * The first four follow the links of one time: their ratios are the conversion of those links.
 */
const CHANGES = "link_day_changes (merchant_id, env, quarter, metric, count, usd_cents)";

/** Upper ends of the steps of the time to paid, in minutes. "more" is above the last. */
export const TIME_STEPS = [2, 5, 15, 60, 1_440] as const;

const quarterOf = (column: string): SQL => sql.raw(`date_bin('15 minutes', ${column}, 'epoch')`);

/** The step of the link's time to paid, as in the metric. */
const timeStep = sql.raw(
  `case ${TIME_STEPS.map((minutes) => `when l.completed_at - l.created_at <= interval '${minutes} minutes' then 'time:${minutes}'`).join(" ")} else 'time:more' end`,
);

/** The totals that the state of each link in `links` (a name of rows) adds, times `factor`. */
const stateTotals = (links: string, factor: 1 | -1): SQL => sql`
  select l.merchant_id, l.env, part.quarter, part.metric, part.count * ${sql.raw(String(factor))} as count,
    part.usd_cents * ${sql.raw(String(factor))} as usd_cents
  from ${sql.raw(links)} l
  cross join lateral (values (
    l.state in ('partial', 'detected', 'completed', 'overpaid', 'failed'), l.state in ('completed', 'overpaid')
  )) as fact(seen, paid)
  cross join lateral (values
    (${quarterOf("l.created_at")}, 'seen', fact.seen::integer, 0::numeric),
    (${quarterOf("l.created_at")}, 'paid', fact.paid::integer, 0::numeric),
    (${quarterOf("l.completed_at")}, 'volume:' || coalesce(l.paid_network, 'unknown'), fact.paid::integer,
      fact.paid::integer * coalesce(l.usd_cents, 0)),
    (${quarterOf("l.completed_at")}, ${timeStep}, fact.paid::integer, 0::numeric)
  ) as part(quarter, metric, count, usd_cents)
  where part.count > 0`;

/** Statement that counts new links. `inserted`: the name of their rows. */
export function insertCreated(inserted: string): SQL {
  return sql`insert into ${sql.raw(CHANGES)}
    select l.merchant_id, l.env, ${quarterOf("l.created_at")}, part.metric, count(*), 0
    from ${sql.raw(inserted)} l
    cross join lateral (values ('created', true), ('opened', l.state <> 'open')) as part(metric, applies)
    where part.applies group by 1, 2, 3, 4`;
}

/**
 * Statement that adds what a change of states changes. `before` and `after`: the names of the links' rows before and after
 * it. A reverted state is subtracted from the time that it was counted for.
 */
export function insertStateChanges(before: string, after: string): SQL {
  return sql`insert into ${sql.raw(CHANGES)}
    select merchant_id, env, quarter, metric, sum(count), sum(usd_cents) from (
      ${stateTotals(before, -1)}
      union all
      ${stateTotals(after, 1)}
      union all
      select l.merchant_id, l.env, ${quarterOf("l.created_at")}, 'opened', 1, 0
      from ${sql.raw(before)} b join ${sql.raw(after)} l on l.id = b.id
      where b.state = 'open' and l.state not in ('open', 'expired')
    ) as changes
    group by 1, 2, 3, 4 having sum(count) <> 0 or sum(usd_cents) <> 0`;
}

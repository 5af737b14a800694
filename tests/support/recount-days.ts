import assert from "node:assert/strict";
import { sql } from "drizzle-orm";
import { foldDayChanges } from "#lib/domain/payment-links/totals/fold-changes.ts";
import type { Db } from "#lib/platform/db/connection.ts";

/** Counts all links from their rows and payments: the totals by another way. */
const RECOUNT = sql`
  INSERT INTO "link_quarters" (merchant_id, env, quarter, metric, count, usd_cents)
  SELECT l.merchant_id, l.env, date_bin('15 minutes', part.at, 'epoch'), part.metric, count(*), sum(part.usd_cents)
  FROM payment_links l
  CROSS JOIN LATERAL (VALUES (
    EXISTS (SELECT FROM payment_link_wallets w WHERE w.payment_link_id = l.id),
    l.state IN ('partial', 'detected', 'completed', 'overpaid', 'failed'), l.state IN ('completed', 'overpaid')
  )) AS fact(opened, seen, paid)
  CROSS JOIN LATERAL (VALUES
    (l.created_at, 'created', true, 0::numeric),
    (l.created_at, 'opened', fact.opened, 0::numeric),
    (l.created_at, 'seen', fact.seen, 0::numeric),
    (l.created_at, 'paid', fact.paid, 0::numeric),
    (l.completed_at, 'volume:' || coalesce(l.paid_network, (
      SELECT d.network FROM payments p JOIN deposits d ON d.id = p.deposit_id
      WHERE p.payment_link_id = l.id AND d.status = 1 ORDER BY d.id DESC LIMIT 1
    ), 'unknown'), fact.paid, coalesce(l.usd_cents, 0)),
    (l.completed_at, CASE
      WHEN l.completed_at - l.created_at <= interval '2 minutes' THEN 'time:2'
      WHEN l.completed_at - l.created_at <= interval '5 minutes' THEN 'time:5'
      WHEN l.completed_at - l.created_at <= interval '15 minutes' THEN 'time:15'
      WHEN l.completed_at - l.created_at <= interval '60 minutes' THEN 'time:60'
      WHEN l.completed_at - l.created_at <= interval '1440 minutes' THEN 'time:1440'
      ELSE 'time:more' END, fact.paid, 0::numeric)
  ) AS part(at, metric, applies, usd_cents)
  WHERE part.applies GROUP BY 1, 2, 3, 4`;

/** The days of the quarters by the database's own time zones. */
const RECOUNT_DAYS = sql`
  INSERT INTO "link_days" (merchant_id, env, day, metric, count, usd_cents)
  SELECT q.merchant_id, q.env, (q.quarter AT TIME ZONE m.time_zone)::date, q.metric, sum(q.count), sum(q.usd_cents)
  FROM link_quarters q JOIN merchants m ON m.id = q.merchant_id GROUP BY 1, 2, 3, 4`;

const TOTALS = sql`
  select 'quarter' as part, merchant_id, env, quarter::text as at, metric, count, usd_cents from link_quarters where count <> 0
  union all
  select 'day', merchant_id, env, day::text, metric, count, usd_cents from link_days where count <> 0
  order by 1, 2, 3, 4, 5`;

/** The totals that were kept while the links changed are those of the links as they are now. */
export async function checkDayTotals(db: Db): Promise<void> {
  while ((await foldDayChanges(db)) > 0);
  const kept = (await db.execute(TOTALS)).rows;
  await recountDays(db);
  assert.deepEqual(kept, (await db.execute(TOTALS)).rows);
}

/** Replaces the totals by those of the links as they are now. */
export async function recountDays(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`delete from link_day_changes`);
    await tx.execute(sql`delete from link_quarters`);
    await tx.execute(sql`delete from link_days`);
    await tx.execute(RECOUNT);
    await tx.execute(RECOUNT_DAYS);
  });
}

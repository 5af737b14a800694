CREATE TABLE "link_days" (
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"metric" text NOT NULL,
	"day" date NOT NULL,
	"count" bigint NOT NULL,
	"usd_cents" numeric(78,0) NOT NULL,
	CONSTRAINT "link_days_merchant_id_env_day_metric_pk" PRIMARY KEY("merchant_id","env","day","metric")
);
--> statement-breakpoint
CREATE TABLE "link_quarters" (
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"metric" text NOT NULL,
	"quarter" timestamp (3) with time zone NOT NULL,
	"count" bigint NOT NULL,
	"usd_cents" numeric(78,0) NOT NULL,
	CONSTRAINT "link_quarters_merchant_id_env_quarter_metric_pk" PRIMARY KEY("merchant_id","env","quarter","metric")
);
--> statement-breakpoint
ALTER TABLE "link_day_totals" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "link_day_totals" CASCADE;--> statement-breakpoint
DROP INDEX "link_day_changes_day";--> statement-breakpoint
ALTER TABLE "link_day_changes" ALTER COLUMN "day" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "display_currency" text DEFAULT 'usd' NOT NULL;--> statement-breakpoint
ALTER TABLE "link_day_changes" ADD COLUMN "quarter" timestamp (3) with time zone DEFAULT date_bin('15 minutes', now(), 'epoch') NOT NULL;--> statement-breakpoint
ALTER TABLE "link_days" ADD CONSTRAINT "link_days_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_quarters" ADD CONSTRAINT "link_quarters_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "link_day_changes_quarter" ON "link_day_changes" USING btree ("merchant_id","env","quarter");--> statement-breakpoint
-- Days were counted in UTC, which no other zone can be made of: all links are counted again. Their changes are in their rows.
DELETE FROM "link_day_changes";--> statement-breakpoint
INSERT INTO "link_quarters" (merchant_id, env, quarter, metric, count, usd_cents)
  SELECT l.merchant_id, l.env, part.quarter, part.metric, count(*), sum(part.usd_cents)
  FROM payment_links l
  CROSS JOIN LATERAL (VALUES (
    date_bin('15 minutes', l.created_at, 'epoch'), date_bin('15 minutes', l.completed_at, 'epoch'),
    EXISTS (SELECT FROM payment_link_wallets w WHERE w.payment_link_id = l.id),
    l.state IN ('partial', 'detected', 'completed', 'overpaid', 'failed'), l.state IN ('completed', 'overpaid')
  )) AS fact(made, done, opened, seen, paid)
  CROSS JOIN LATERAL (VALUES
    (fact.made, 'created', true, 0::numeric),
    (fact.made, 'opened', fact.opened, 0::numeric),
    (fact.made, 'seen', fact.seen, 0::numeric),
    (fact.made, 'paid', fact.paid, 0::numeric),
    (fact.done, 'volume:' || coalesce(l.paid_network, 'unknown'), fact.paid, coalesce(l.usd_cents, 0)),
    (fact.done, CASE
      WHEN l.completed_at - l.created_at <= interval '2 minutes' THEN 'time:2'
      WHEN l.completed_at - l.created_at <= interval '5 minutes' THEN 'time:5'
      WHEN l.completed_at - l.created_at <= interval '15 minutes' THEN 'time:15'
      WHEN l.completed_at - l.created_at <= interval '60 minutes' THEN 'time:60'
      WHEN l.completed_at - l.created_at <= interval '1440 minutes' THEN 'time:1440'
      ELSE 'time:more' END, fact.paid, 0::numeric)
  ) AS part(quarter, metric, applies, usd_cents)
  WHERE part.applies AND part.quarter IS NOT NULL GROUP BY 1, 2, 3, 4;--> statement-breakpoint
-- A zone that this PostgreSQL does not know counts as UTC, until its merchant chooses a zone again.
INSERT INTO "link_days" (merchant_id, env, day, metric, count, usd_cents)
  SELECT q.merchant_id, q.env, (q.quarter AT TIME ZONE coalesce(z.name, 'UTC'))::date, q.metric, sum(q.count), sum(q.usd_cents)
  FROM link_quarters q JOIN merchants m ON m.id = q.merchant_id
  LEFT JOIN pg_timezone_names z ON z.name = m.time_zone
  GROUP BY 1, 2, 3, 4;
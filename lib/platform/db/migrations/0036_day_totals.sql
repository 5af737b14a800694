CREATE TABLE "link_day_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "link_day_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"day" date NOT NULL,
	"metric" text NOT NULL,
	"count" integer NOT NULL,
	"usd_cents" numeric(78,0) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "link_day_totals" (
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"day" date NOT NULL,
	"metric" text NOT NULL,
	"count" bigint NOT NULL,
	"usd_cents" numeric(78,0) NOT NULL,
	CONSTRAINT "link_day_totals_merchant_id_env_day_metric_pk" PRIMARY KEY("merchant_id","env","day","metric")
);
--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "paid_network" text;--> statement-breakpoint
ALTER TABLE "link_day_changes" ADD CONSTRAINT "link_day_changes_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_day_totals" ADD CONSTRAINT "link_day_totals_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "link_day_changes_day" ON "link_day_changes" USING btree ("merchant_id","env","day");--> statement-breakpoint
-- Only what a reorg may still revert: the running processes keep their rows.
UPDATE "payment_links" l SET "paid_network" = (
  SELECT d.network FROM payments p JOIN deposits d ON d.id = p.deposit_id
  WHERE p.payment_link_id = l.id AND d.status = 1 ORDER BY d.id DESC LIMIT 1
) WHERE l.state IN ('completed', 'overpaid') AND l.completed_at > now() - interval '2 days';--> statement-breakpoint
INSERT INTO "link_day_totals" (merchant_id, env, day, metric, count, usd_cents)
SELECT l.merchant_id, l.env, part.day, part.metric, count(*), sum(part.usd_cents)
FROM payment_links l
CROSS JOIN LATERAL (VALUES (
  EXISTS (SELECT FROM payment_link_wallets w WHERE w.payment_link_id = l.id),
  l.state IN ('partial', 'detected', 'completed', 'overpaid', 'failed'), l.state IN ('completed', 'overpaid')
)) AS fact(opened, seen, paid)
CROSS JOIN LATERAL (VALUES
  ((l.created_at AT TIME ZONE 'UTC')::date, 'created', true, 0::numeric),
  ((l.created_at AT TIME ZONE 'UTC')::date, 'opened', fact.opened, 0::numeric),
  ((l.created_at AT TIME ZONE 'UTC')::date, 'seen', fact.seen, 0::numeric),
  ((l.created_at AT TIME ZONE 'UTC')::date, 'paid', fact.paid, 0::numeric),
  ((l.completed_at AT TIME ZONE 'UTC')::date, 'volume:' || coalesce(l.paid_network, (
    SELECT d.network FROM payments p JOIN deposits d ON d.id = p.deposit_id
    WHERE p.payment_link_id = l.id AND d.status = 1 ORDER BY d.id DESC LIMIT 1
  ), 'unknown'), fact.paid, coalesce(l.usd_cents, 0)),
  ((l.completed_at AT TIME ZONE 'UTC')::date, CASE
    WHEN l.completed_at - l.created_at <= interval '2 minutes' THEN 'time:2'
    WHEN l.completed_at - l.created_at <= interval '5 minutes' THEN 'time:5'
    WHEN l.completed_at - l.created_at <= interval '15 minutes' THEN 'time:15'
    WHEN l.completed_at - l.created_at <= interval '60 minutes' THEN 'time:60'
    WHEN l.completed_at - l.created_at <= interval '1440 minutes' THEN 'time:1440'
    ELSE 'time:more' END, fact.paid, 0::numeric)
) AS part(day, metric, applies, usd_cents)
WHERE part.applies GROUP BY 1, 2, 3, 4;

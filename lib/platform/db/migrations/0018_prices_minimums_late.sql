CREATE TABLE "token_prices" (
	"token" text PRIMARY KEY NOT NULL,
	"price" text NOT NULL,
	"source" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "payment_links_merchant";--> statement-breakpoint
DROP INDEX "payment_links_state";--> statement-breakpoint
DROP INDEX "payment_links_reference";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "late" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "minimum_receive" numeric(78,0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "minimum_receive" numeric(78,0) DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "payment_links_newest" ON "payment_links" USING btree ("env","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_links_merchant" ON "payment_links" USING btree ("merchant_id","env","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_links_state" ON "payment_links" USING btree ("merchant_id","env","state","created_at","id") WHERE state <> 'open';--> statement-breakpoint
CREATE INDEX "payment_links_reference" ON "payment_links" USING btree ("merchant_id","env","payment_reference","created_at","id");--> statement-breakpoint
-- Existing quotes and payments get the setting of now.
UPDATE "quotes" q SET "minimum_receive" = s."minimum_receive"
  FROM "payment_links" l, "token_settings" s
  WHERE l."id" = q."payment_link_id" AND s."env" = l."env" AND s."token" = q."token";--> statement-breakpoint
UPDATE "payments" p SET "minimum_receive" = s."minimum_receive",
    "late" = p."announced" IS NOT NULL AND (p."announced" = 'late' OR d."first_seen_at" >= l."expires_at" + interval '1 second')
  FROM "deposits" d, "payment_links" l, "token_settings" s
  WHERE d."id" = p."deposit_id" AND l."id" = p."payment_link_id" AND s."env" = d."env" AND s."token" = d."token";

DROP INDEX "deposits_hash";--> statement-breakpoint
DROP INDEX "payment_links_reference";--> statement-breakpoint
DROP INDEX "payment_links_email";--> statement-breakpoint
DROP INDEX "payment_links_last_name";--> statement-breakpoint
DROP INDEX "payment_links_first_name";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "description" text;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "items" jsonb;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "paid_token" text;--> statement-breakpoint
-- Links that were paid before: the newest credited payment on the network that completed them.
UPDATE "payment_links" l SET "paid_token" = (
  SELECT d."token" FROM "payments" p JOIN "deposits" d ON d."id" = p."deposit_id"
    WHERE p."payment_link_id" = l."id" AND d."network" = l."paid_network" AND d."status" = 1
    ORDER BY d."id" DESC LIMIT 1)
  WHERE l."paid_network" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "customers_email" ON "customers" USING btree ("merchant_id","env",lower("email") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "payment_links_amount" ON "payment_links" USING btree ("merchant_id","env","amount","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_links_paid" ON "payment_links" USING btree ("merchant_id","env","paid_network","paid_token","created_at","id") WHERE paid_network is not null;--> statement-breakpoint
CREATE INDEX "payment_links_paid_state" ON "payment_links" USING btree ("merchant_id","env","paid_network","paid_token","state","created_at","id") WHERE paid_network is not null;--> statement-breakpoint
CREATE INDEX "payment_links_form_newest" ON "payment_links" USING btree ("form_id","created_at") WHERE form_id is not null;--> statement-breakpoint
CREATE INDEX "addresses_text" ON "addresses" USING btree ("merchant_id","env","address" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "deposits_hash" ON "deposits" USING btree ("merchant_id","env","tx_hash" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "payment_links_reference" ON "payment_links" USING btree ("merchant_id","env","payment_reference" text_pattern_ops,"created_at","id");--> statement-breakpoint
CREATE INDEX "payment_links_email" ON "payment_links" USING btree ("merchant_id","env",lower("customer_email") text_pattern_ops,"created_at","id");--> statement-breakpoint
CREATE INDEX "payment_links_last_name" ON "payment_links" USING btree ("merchant_id","env",lower("customer_last_name") text_pattern_ops,"created_at","id");--> statement-breakpoint
CREATE INDEX "payment_links_first_name" ON "payment_links" USING btree ("merchant_id","env",lower("customer_first_name") text_pattern_ops,"created_at","id");
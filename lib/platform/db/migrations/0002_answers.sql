DROP INDEX "payment_links_amount";--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "time_zone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE "refund_claims" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "reason" text;--> statement-breakpoint
CREATE INDEX "payment_links_currency_amount" ON "payment_links" USING btree ("merchant_id","env","currency","amount","created_at","id");--> statement-breakpoint
ALTER TABLE "refund_claims" ADD CONSTRAINT "refund_claims_reason" CHECK (char_length(reason) between 1 and 200);--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_reason" CHECK (char_length(reason) between 1 and 200);
ALTER TABLE "deposits" ADD COLUMN "early_amount" numeric(78,0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "deposits" ADD COLUMN "early_seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "early_quote_id" bigint;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_early_quote_id_quotes_id_fk" FOREIGN KEY ("early_quote_id") REFERENCES "public"."quotes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_early" CHECK (early_amount >= 0 and early_amount < amount and (early_amount > 0) = (early_seen_at is not null));
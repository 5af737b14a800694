ALTER TABLE "payment_links" ADD COLUMN "description" text;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "items" jsonb;
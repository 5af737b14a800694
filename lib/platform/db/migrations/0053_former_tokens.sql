ALTER TABLE "sessions" ADD COLUMN "former_hash" "bytea";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "former_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_former_hash_unique" UNIQUE("former_hash");
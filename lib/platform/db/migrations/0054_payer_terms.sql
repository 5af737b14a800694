ALTER TABLE "merchants" ALTER COLUMN "tolerance_under_bps" SET DEFAULT 50;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "tolerance_under_max" integer DEFAULT 1;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "round_stablecoins" boolean DEFAULT true NOT NULL;--> statement-breakpoint
-- A tolerance that a merchant has chosen keeps its meaning, and merchants keep the one that they have.
UPDATE "merchants" SET "tolerance_under_max" = NULL WHERE "tolerance_under_bps" > 0;

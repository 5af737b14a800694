ALTER TABLE "watch_cursors" ADD COLUMN "head_time" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "watch_cursors" ADD COLUMN "finalized_height" bigint;--> statement-breakpoint
ALTER TABLE "watch_cursors" ADD COLUMN "finalized_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "watch_cursors" ADD COLUMN "finality_late" boolean DEFAULT false NOT NULL;
ALTER TABLE "watch_cursors" ADD COLUMN "gap_from" bigint;--> statement-breakpoint
ALTER TABLE "watch_cursors" ADD COLUMN "gap_to" bigint;
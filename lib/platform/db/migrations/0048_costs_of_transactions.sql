ALTER TABLE "outgoing_transactions" ADD COLUMN "kind" text DEFAULT 'payout' NOT NULL;--> statement-breakpoint
ALTER TABLE "outgoing_transactions" ADD COLUMN "spends" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "outgoing_transactions" ADD COLUMN "moves" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "outgoing_transactions" ADD COLUMN "block" text;--> statement-breakpoint
ALTER TABLE "outgoing_transactions" ADD COLUMN "block_height" bigint;--> statement-breakpoint
ALTER TABLE "outgoing_transactions" ADD COLUMN "next_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "outgoing_transactions" ADD COLUMN "settled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "outgoing_transactions" ADD COLUMN "outcome" text;--> statement-breakpoint
ALTER TABLE "outgoing_transactions" ADD COLUMN "fee" numeric(78,0);--> statement-breakpoint
CREATE INDEX "outgoing_unsettled" ON "outgoing_transactions" USING btree ("env","network","created_at","hash") WHERE settled_at is null;--> statement-breakpoint
CREATE INDEX "outgoing_spends" ON "outgoing_transactions" USING gin ("spends") WHERE outcome = 'final';--> statement-breakpoint
ALTER TABLE "outgoing_transactions" ADD CONSTRAINT "outgoing_kind" CHECK (kind in ('payout', 'cancel', 'sweep', 'cold', 'consolidation', 'deploy'));--> statement-breakpoint
ALTER TABLE "outgoing_transactions" ADD CONSTRAINT "outgoing_outcome" CHECK (outcome in ('final', 'replaced', 'expired'));--> statement-breakpoint
ALTER TABLE "outgoing_transactions" ADD CONSTRAINT "outgoing_settled" CHECK ((settled_at is null) = (outcome is null) and (fee is null) = (outcome is distinct from 'final'));--> statement-breakpoint
-- What earlier transactions spend is known from their withdrawals.
UPDATE "outgoing_transactions" o SET "spends" = array(SELECT jsonb_array_elements_text(one -> 'spends'))
FROM "withdrawals" w, jsonb_array_elements(w."transactions") one
WHERE w."env" = o."env" AND w."network" = o."network" AND one ->> 'hash' = o."hash";

CREATE TABLE "withdrawal_settlements" (
	"withdrawal_id" bigint PRIMARY KEY NOT NULL,
	"tx_hash" text NOT NULL,
	"asked" numeric(78,0) NOT NULL,
	"paid" numeric(78,0) NOT NULL,
	"excess" text NOT NULL,
	"reason" text NOT NULL,
	"proposed_by" text NOT NULL,
	"proposal" text NOT NULL,
	"approved_by" text,
	"approval" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"approved_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "withdrawal_settlements" ADD CONSTRAINT "withdrawal_settlements_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;
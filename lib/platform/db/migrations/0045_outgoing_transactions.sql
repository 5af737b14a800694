CREATE TABLE "outgoing_transactions" (
	"env" text NOT NULL,
	"network" text NOT NULL,
	"hash" text NOT NULL,
	"raw" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "outgoing_transactions_env_network_hash_pk" PRIMARY KEY("env","network","hash")
);
--> statement-breakpoint
CREATE TABLE "payout_signatures" (
	"withdrawal_id" bigint NOT NULL,
	"approver" text NOT NULL,
	"signature" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payout_signatures_withdrawal_id_approver_pk" PRIMARY KEY("withdrawal_id","approver")
);
--> statement-breakpoint
ALTER TABLE "payout_signatures" ADD CONSTRAINT "payout_signatures_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;
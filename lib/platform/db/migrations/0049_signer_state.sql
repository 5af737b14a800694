CREATE TABLE "signer_accounts" (
	"env" text NOT NULL,
	"network" text NOT NULL,
	"address" text NOT NULL,
	"version" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"stepped_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "signer_accounts_env_network_pk" PRIMARY KEY("env","network")
);
--> statement-breakpoint
CREATE TABLE "withdrawal_holds" (
	"withdrawal_id" bigint PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "withdrawal_holds" ADD CONSTRAINT "withdrawal_holds_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "withdrawal_holds_reason" ON "withdrawal_holds" USING btree ("reason","withdrawal_id");--> statement-breakpoint
CREATE INDEX "outgoing_moves" ON "outgoing_transactions" USING btree ("env","created_at","hash") WHERE kind <> 'payout';--> statement-breakpoint
CREATE INDEX "outgoing_costs" ON "outgoing_transactions" USING btree ("env","settled_at") WHERE outcome = 'final';
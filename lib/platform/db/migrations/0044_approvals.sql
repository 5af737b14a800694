CREATE TABLE "withdrawal_approvals" (
	"withdrawal_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"assertion" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "withdrawal_approvals_withdrawal_id_user_id_pk" PRIMARY KEY("withdrawal_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "withdrawal_policies" (
	"merchant_id" bigint PRIMARY KEY NOT NULL,
	"second_person" boolean NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "requested_by" text;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "needs_approval" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "approved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "withdrawal_approvals" ADD CONSTRAINT "withdrawal_approvals_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_approvals" ADD CONSTRAINT "withdrawal_approvals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_policies" ADD CONSTRAINT "withdrawal_policies_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "withdrawals_to_approve" ON "withdrawals" USING btree ("merchant_id","env","id") WHERE status = 0 and needs_approval and approved_at is null;
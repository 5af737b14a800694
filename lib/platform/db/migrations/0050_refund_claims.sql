CREATE TABLE "refund_claims" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "refund_claims_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"env" text NOT NULL,
	"merchant_id" bigint NOT NULL,
	"payment_link_id" bigint NOT NULL,
	"network" text NOT NULL,
	"token" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"note" text,
	"secret_hash" "bytea" NOT NULL,
	"sealed_secret" "bytea",
	"idempotency_key" text,
	"mailed" boolean DEFAULT false NOT NULL,
	"requested_by" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"withdrawal_id" bigint,
	"problem" text,
	"problem_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refund_claims_secret_hash_unique" UNIQUE("secret_hash"),
	CONSTRAINT "refund_claims_withdrawal_id_unique" UNIQUE("withdrawal_id"),
	CONSTRAINT "refund_claims_amount" CHECK (amount > 0),
	CONSTRAINT "refund_claims_end" CHECK (withdrawal_id is null or revoked_at is null)
);
--> statement-breakpoint
ALTER TABLE "refund_claims" ADD CONSTRAINT "refund_claims_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_claims" ADD CONSTRAINT "refund_claims_payment_link_id_payment_links_id_fk" FOREIGN KEY ("payment_link_id") REFERENCES "public"."payment_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_claims" ADD CONSTRAINT "refund_claims_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refund_claims_payment_link" ON "refund_claims" USING btree ("payment_link_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "refund_claims_key" ON "refund_claims" USING btree ("merchant_id","env","idempotency_key");
CREATE TABLE "withdrawal_addresses" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "withdrawal_addresses_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"network" text NOT NULL,
	"address" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "withdrawal_limits" (
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"token" text NOT NULL,
	"per_transfer" numeric(78,0),
	"per_day" numeric(78,0),
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "withdrawal_limits_merchant_id_env_token_pk" PRIMARY KEY("merchant_id","env","token")
);
--> statement-breakpoint
ALTER TABLE "withdrawal_policies" ALTER COLUMN "second_person" SET DEFAULT false;--> statement-breakpoint
ALTER TABLE "withdrawal_policies" ADD COLUMN "address_book" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "withdrawal_addresses" ADD CONSTRAINT "withdrawal_addresses_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_limits" ADD CONSTRAINT "withdrawal_limits_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawal_addresses_address" ON "withdrawal_addresses" USING btree ("merchant_id","env","network","address");--> statement-breakpoint
CREATE INDEX "withdrawals_asked" ON "withdrawals" USING btree ("merchant_id","env","token","created_at") WHERE status in (0, 1, 3);
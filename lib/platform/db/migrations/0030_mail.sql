CREATE TABLE "mail_settings" (
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"kinds" text[] NOT NULL,
	"recipient" text,
	"digested_until" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_settings_merchant_id_env_pk" PRIMARY KEY("merchant_id","env")
);
--> statement-breakpoint
CREATE TABLE "mail_stops" (
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"address" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_stops_merchant_id_env_address_pk" PRIMARY KEY("merchant_id","env","address")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"data" jsonb NOT NULL,
	"token" uuid DEFAULT gen_random_uuid() NOT NULL,
	"sender_domain" text,
	"status" text DEFAULT 'due' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"claimed_until" timestamp (3) with time zone,
	"last_status" integer,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mails_token_unique" UNIQUE("token")
);
--> statement-breakpoint
ALTER TABLE "payment_link_wallets" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "mail_settings" ADD CONSTRAINT "mail_settings_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_stops" ADD CONSTRAINT "mail_stops_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("next_attempt_at","id") WHERE status = 'due';--> statement-breakpoint
CREATE INDEX "mails_failed" ON "mails" USING btree ("id") WHERE status = 'failed';--> statement-breakpoint
CREATE INDEX "mails_recipient" ON "mails" USING btree (lower("recipient"),"kind","created_at");--> statement-breakpoint
CREATE INDEX "mails_merchant" ON "mails" USING btree ("merchant_id","id");--> statement-breakpoint
CREATE INDEX "mails_age" ON "mails" USING btree ("created_at");
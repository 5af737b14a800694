CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"details" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "foreign_deposits" (
	"id" bigint PRIMARY KEY DEFAULT nextval('deposits_id_seq') NOT NULL,
	"env" text NOT NULL,
	"network" text NOT NULL,
	"contract" text NOT NULL,
	"merchant_id" bigint NOT NULL,
	"address_id" bigint NOT NULL,
	"tx_hash" text NOT NULL,
	"position" integer NOT NULL,
	"raw_amount" numeric(78,0) NOT NULL,
	"sender" text,
	"block_height" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "foreign_deposits_amount" CHECK (raw_amount > 0)
);
--> statement-breakpoint
CREATE TABLE "foreign_sweeps" (
	"env" text NOT NULL,
	"network" text NOT NULL,
	"height" bigint NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "foreign_sweeps_env_network_pk" PRIMARY KEY("env","network")
);
--> statement-breakpoint
ALTER TABLE "deposits" DROP CONSTRAINT "deposits_status";--> statement-breakpoint
ALTER TABLE "foreign_deposits" ADD CONSTRAINT "foreign_deposits_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "foreign_deposits" ADD CONSTRAINT "foreign_deposits_address_id_addresses_id_fk" FOREIGN KEY ("address_id") REFERENCES "public"."addresses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("subject","id");--> statement-breakpoint
CREATE UNIQUE INDEX "foreign_deposits_identity" ON "foreign_deposits" USING btree ("env","network","tx_hash","position");--> statement-breakpoint
CREATE INDEX "foreign_deposits_open" ON "foreign_deposits" USING btree ("env","id") WHERE resolved_at is null;--> statement-breakpoint
CREATE INDEX "foreign_deposits_address" ON "foreign_deposits" USING btree ("address_id");--> statement-breakpoint
CREATE INDEX "deposits_unmatched" ON "deposits" USING btree ("env","id") WHERE unmatched_reason is not null and status in (0, 3);--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_held" CHECK (status <> 3 or unmatched_reason is not null);--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_status" CHECK (status in (0, 1, 2, 3));--> statement-breakpoint
-- What was decided stays on record: the database itself refuses to change or remove it.
CREATE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only: % refused', TG_OP;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();

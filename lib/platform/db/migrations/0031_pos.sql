CREATE TABLE "pos_devices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pos_devices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"form_id" bigint NOT NULL,
	"name" text NOT NULL,
	"code_hash" "bytea",
	"code_expires_at" timestamp (3) with time zone NOT NULL,
	"token_hash" "bytea",
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"paired_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pos_devices_code_hash_unique" UNIQUE("code_hash"),
	CONSTRAINT "pos_devices_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "canceled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "pos_device_id" bigint;--> statement-breakpoint
ALTER TABLE "pos_devices" ADD CONSTRAINT "pos_devices_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pos_devices_form" ON "pos_devices" USING btree ("form_id","id");--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_pos_device_id_pos_devices_id_fk" FOREIGN KEY ("pos_device_id") REFERENCES "public"."pos_devices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_links_device" ON "payment_links" USING btree ("pos_device_id","created_at","id") WHERE pos_device_id is not null;
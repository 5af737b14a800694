CREATE TABLE "saved_views" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "saved_views_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"merchant_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"env" text NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_views_bounds" CHECK (char_length(name) <= 40 and char_length(query) <= 1000)
);
--> statement-breakpoint
CREATE TABLE "notes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payment_link_id" bigint,
	"customer_id" bigint,
	"author" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notes_subject" CHECK (num_nonnulls(payment_link_id, customer_id) = 1),
	CONSTRAINT "notes_text" CHECK (char_length(text) between 1 and 2000)
);
--> statement-breakpoint
DROP INDEX "payment_links_form_newest";--> statement-breakpoint
DROP INDEX "payment_links_device";--> statement-breakpoint
ALTER TABLE "payment_links" ALTER COLUMN "customer_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "permissions" text[];--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "origin" text;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "archived_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "reported" text;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "ordered_by" text;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "original_id" bigint;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "format" text DEFAULT 'standard' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "automatic_redelivery" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD COLUMN "format" text DEFAULT 'standard' NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_member" FOREIGN KEY ("merchant_id","user_id") REFERENCES "public"."members"("merchant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_payment_link_id_payment_links_id_fk" FOREIGN KEY ("payment_link_id") REFERENCES "public"."payment_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name" ON "saved_views" USING btree ("merchant_id","user_id","env","name");--> statement-breakpoint
CREATE INDEX "notes_payment_link" ON "notes" USING btree ("payment_link_id","id") WHERE payment_link_id is not null;--> statement-breakpoint
CREATE INDEX "notes_customer" ON "notes" USING btree ("customer_id","id") WHERE customer_id is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_order" ON "webhook_deliveries" USING btree ("endpoint_id","ordered_by","id") WHERE status = 'due' and ordered_by is not null;--> statement-breakpoint
CREATE INDEX "payment_links_form_newest" ON "payment_links" USING btree ("form_id","created_at","id","state") WHERE form_id is not null;--> statement-breakpoint
CREATE INDEX "payment_links_device" ON "payment_links" USING btree ("pos_device_id","created_at","id","state") WHERE pos_device_id is not null;
CREATE TABLE "form_visits" (
	"form_id" bigint NOT NULL,
	"visit" "bytea" NOT NULL,
	"refid" text NOT NULL,
	"visitor" "bytea",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "form_visits_form_id_visit_pk" PRIMARY KEY("form_id","visit")
);
--> statement-breakpoint
CREATE TABLE "forms" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "forms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"code" text NOT NULL,
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"currency" text NOT NULL,
	"amount" numeric(78,0),
	"minimum_amount" numeric(78,0),
	"maximum_amount" numeric(78,0),
	"suggested_amounts" jsonb NOT NULL,
	"ask" jsonb NOT NULL,
	"fields" jsonb NOT NULL,
	"max_quantity" integer NOT NULL,
	"stock" integer,
	"total_limit" numeric(78,0),
	"payment_reference" text NOT NULL,
	"success_url" text,
	"cancel_url" text,
	"expires_at" timestamp (3) with time zone,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "forms_code_unique" UNIQUE("code")
);
--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "form_id" bigint;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "form_quantity" integer;--> statement-breakpoint
ALTER TABLE "form_visits" ADD CONSTRAINT "form_visits_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "forms" ADD CONSTRAINT "forms_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "form_visits_visitor" ON "form_visits" USING btree ("visitor","created_at") WHERE visitor is not null;--> statement-breakpoint
CREATE INDEX "form_visits_age" ON "form_visits" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "forms_merchant" ON "forms" USING btree ("merchant_id","env","id");--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_links_form" ON "payment_links" USING btree ("form_id","form_quantity","amount") WHERE form_id is not null and state not in ('failed', 'expired');
CREATE TABLE "form_pictures" (
	"form_id" bigint PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "form_pictures_size" CHECK (octet_length("form_pictures"."bytes") between 1 and 300000)
);
--> statement-breakpoint
ALTER TABLE "forms" ADD COLUMN "picture" text;--> statement-breakpoint
ALTER TABLE "form_pictures" ADD CONSTRAINT "form_pictures_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "form_pictures_hash" ON "form_pictures" USING btree ("hash");
CREATE TABLE "merchant_logos" (
	"merchant_id" bigint PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "merchant_logos_size" CHECK (octet_length("merchant_logos"."bytes") between 1 and 100000)
);
--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "logo" text;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "accent" text;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "support" text;--> statement-breakpoint
ALTER TABLE "merchant_logos" ADD CONSTRAINT "merchant_logos_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "merchant_logos_hash" ON "merchant_logos" USING btree ("hash");
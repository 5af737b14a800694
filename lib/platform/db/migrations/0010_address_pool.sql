CREATE TABLE "pool_addresses" (
	"account_key_id" bigint NOT NULL,
	"index" integer NOT NULL,
	"network" text NOT NULL,
	"address" text NOT NULL,
	"path" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pool_addresses_account_key_id_index_pk" PRIMARY KEY("account_key_id","index")
);
--> statement-breakpoint
ALTER TABLE "pool_addresses" ADD CONSTRAINT "pool_addresses_account_key_id_account_keys_id_fk" FOREIGN KEY ("account_key_id") REFERENCES "public"."account_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "pool_addresses_identity" ON "pool_addresses" USING btree ("network","address");
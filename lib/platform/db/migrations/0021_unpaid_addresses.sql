CREATE TABLE "paid_address_counts" (
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"network" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "paid_address_counts_merchant_id_env_network_pk" PRIMARY KEY("merchant_id","env","network")
);
--> statement-breakpoint
ALTER TABLE "network_settings" ADD COLUMN "unpaid_addresses" integer DEFAULT 10000 NOT NULL;--> statement-breakpoint
ALTER TABLE "paid_address_counts" ADD CONSTRAINT "paid_address_counts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- Counts an address when its first total is inserted: a second token does not count it again. One upsert a statement.
CREATE FUNCTION keep_paid_address_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO paid_address_counts AS c (merchant_id, env, network, count)
    SELECT a.merchant_id, a.env, a.network, count(*)
      FROM (SELECT address_id, count(*) AS tokens FROM first_totals GROUP BY 1) paid
      JOIN addresses a ON a.id = paid.address_id
      WHERE a.merchant_id IS NOT NULL
        AND paid.tokens = (SELECT count(*) FROM deposit_totals t WHERE t.address_id = paid.address_id)
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (merchant_id, env, network) DO UPDATE SET count = c.count + excluded.count;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deposit_totals_paid AFTER INSERT ON deposit_totals
  REFERENCING NEW TABLE AS first_totals FOR EACH STATEMENT EXECUTE FUNCTION keep_paid_address_counts();
--> statement-breakpoint
INSERT INTO paid_address_counts (merchant_id, env, network, count)
  SELECT a.merchant_id, a.env, a.network, count(*) FROM addresses a
    WHERE a.merchant_id IS NOT NULL AND EXISTS (SELECT FROM deposit_totals t WHERE t.address_id = a.id)
    GROUP BY 1, 2, 3;

ALTER TABLE "addresses" ALTER COLUMN "merchant_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "deposits" ALTER COLUMN "merchant_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "addresses" ADD CONSTRAINT "addresses_owner" CHECK ((purpose = 'account') = (merchant_id is null));--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_owner" CHECK (merchant_id is not null or (unmatched_reason is not null and status <> 1));--> statement-breakpoint
-- What is nobody's is not counted for anybody.
CREATE OR REPLACE FUNCTION keep_address_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO address_counts AS c (merchant_id, env, network, count)
    SELECT merchant_id, env, network, count(*) FROM given_out
      WHERE merchant_id IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (merchant_id, env, network) DO UPDATE SET count = c.count + excluded.count;
  RETURN NULL;
END $$;

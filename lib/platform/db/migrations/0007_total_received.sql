CREATE TABLE "deposit_totals" (
	"address_id" bigint NOT NULL,
	"token" text NOT NULL,
	"total" numeric(78,0) NOT NULL,
	CONSTRAINT "deposit_totals_address_id_token_pk" PRIMARY KEY("address_id","token")
);
--> statement-breakpoint
DROP INDEX "deposits_merchant";--> statement-breakpoint
ALTER TABLE "deposit_totals" ADD CONSTRAINT "deposit_totals_address_id_addresses_id_fk" FOREIGN KEY ("address_id") REFERENCES "public"."addresses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deposits_credited" ON "deposits" USING btree ("merchant_id","env",(-id)) WHERE status = 1;--> statement-breakpoint
CREATE INDEX "deposits_merchant" ON "deposits" USING btree ("merchant_id","env",(-id));
--> statement-breakpoint
-- One upsert a statement, however many deposits it changes, in one order: two writers wait instead of deadlocking.
CREATE FUNCTION keep_deposit_totals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO deposit_totals AS t (address_id, token, total)
      SELECT address_id, token, sum(amount) FROM now_so WHERE status = 1 GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (address_id, token) DO UPDATE SET total = t.total + excluded.total;
  ELSE
    INSERT INTO deposit_totals AS t (address_id, token, total)
      SELECT address_id, token, sum(amount) FROM (
        SELECT address_id, token, amount FROM now_so WHERE status = 1
        UNION ALL SELECT address_id, token, -amount FROM so_far WHERE status = 1) changes
      GROUP BY 1, 2 HAVING sum(amount) <> 0 ORDER BY 1, 2
      ON CONFLICT (address_id, token) DO UPDATE SET total = t.total + excluded.total;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deposits_totals_insert AFTER INSERT ON deposits
  REFERENCING NEW TABLE AS now_so FOR EACH STATEMENT EXECUTE FUNCTION keep_deposit_totals();
--> statement-breakpoint
CREATE TRIGGER deposits_totals_update AFTER UPDATE ON deposits
  REFERENCING OLD TABLE AS so_far NEW TABLE AS now_so FOR EACH STATEMENT EXECUTE FUNCTION keep_deposit_totals();
--> statement-breakpoint
INSERT INTO deposit_totals (address_id, token, total)
  SELECT address_id, token, sum(amount) FROM deposits WHERE status = 1 GROUP BY 1, 2;

CREATE TABLE "unswept_amounts" (
	"address_id" bigint NOT NULL,
	"token" text NOT NULL,
	"env" text NOT NULL,
	"network" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"retry_at" timestamp (3) with time zone,
	CONSTRAINT "unswept_amounts_address_id_token_pk" PRIMARY KEY("address_id","token")
);
--> statement-breakpoint
ALTER TABLE "unswept_amounts" ADD CONSTRAINT "unswept_amounts_address_id_addresses_id_fk" FOREIGN KEY ("address_id") REFERENCES "public"."addresses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "unswept_amounts_due" ON "unswept_amounts" USING btree ("env","network","token","amount") WHERE retry_at is null;--> statement-breakpoint
CREATE INDEX "unswept_amounts_retry" ON "unswept_amounts" USING btree ("env","network","retry_at") WHERE retry_at is not null;
--> statement-breakpoint
-- One upsert a statement, in one order, as keep_deposit_totals. Reversed deposits are not subtracted: it is a hint.
CREATE FUNCTION keep_unswept_amounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO unswept_amounts AS u (address_id, token, env, network, amount)
      SELECT address_id, token, env, network, sum(amount) FROM now_so
      WHERE status IN (1, 3) AND network NOT IN ('bitcoin', 'litecoin', 'dogecoin', 'xrp')
      GROUP BY 1, 2, 3, 4 ORDER BY 1, 2
      ON CONFLICT (address_id, token) DO UPDATE SET amount = u.amount + excluded.amount;
  ELSE
    INSERT INTO unswept_amounts AS u (address_id, token, env, network, amount)
      SELECT n.address_id, n.token, n.env, n.network, sum(n.amount) FROM now_so n JOIN so_far o ON o.id = n.id
      WHERE n.status IN (1, 3) AND o.status NOT IN (1, 3) AND n.network NOT IN ('bitcoin', 'litecoin', 'dogecoin', 'xrp')
      GROUP BY 1, 2, 3, 4 ORDER BY 1, 2
      ON CONFLICT (address_id, token) DO UPDATE SET amount = u.amount + excluded.amount;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deposits_unswept_insert AFTER INSERT ON deposits
  REFERENCING NEW TABLE AS now_so FOR EACH STATEMENT EXECUTE FUNCTION keep_unswept_amounts();
--> statement-breakpoint
CREATE TRIGGER deposits_unswept_update AFTER UPDATE ON deposits
  REFERENCING OLD TABLE AS so_far NEW TABLE AS now_so FOR EACH STATEMENT EXECUTE FUNCTION keep_unswept_amounts();
--> statement-breakpoint
INSERT INTO unswept_amounts (address_id, token, env, network, amount)
  SELECT address_id, token, env, network, sum(amount) FROM deposits
  WHERE status IN (1, 3) AND network NOT IN ('bitcoin', 'litecoin', 'dogecoin', 'xrp') GROUP BY 1, 2, 3, 4;

-- In the order of the program's transactions.
CREATE INDEX "deposits_unmatched_merchant" ON "deposits" USING btree ("merchant_id","env","id") WHERE unmatched_reason is not null and status in (0, 3) and merchant_id is not null;--> statement-breakpoint
CREATE INDEX "foreign_deposits_merchant" ON "foreign_deposits" USING btree ("merchant_id","env","id") WHERE resolved_at is null and merchant_id is not null;--> statement-breakpoint
ALTER TABLE "unswept_amounts" DROP CONSTRAINT "unswept_amounts_address_id_token_pk";--> statement-breakpoint
ALTER TABLE "unswept_amounts" ADD CONSTRAINT "unswept_amounts_address_id_token_network_pk" PRIMARY KEY("address_id","token","network");--> statement-breakpoint
-- One upsert a statement, in one order, as keep_deposit_totals. Reversed deposits are not subtracted: it is a hint.
CREATE OR REPLACE FUNCTION keep_unswept_amounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO unswept_amounts AS u (address_id, token, env, network, amount)
      SELECT address_id, token, env, network, sum(amount) FROM now_so
      WHERE status IN (1, 3) AND network NOT IN ('bitcoin', 'litecoin', 'dogecoin', 'xrp')
      GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 4
      ON CONFLICT (address_id, token, network) DO UPDATE SET amount = u.amount + excluded.amount;
  ELSE
    INSERT INTO unswept_amounts AS u (address_id, token, env, network, amount)
      SELECT n.address_id, n.token, n.env, n.network, sum(n.amount) FROM now_so n JOIN so_far o ON o.id = n.id
      WHERE n.status IN (1, 3) AND o.status NOT IN (1, 3) AND n.network NOT IN ('bitcoin', 'litecoin', 'dogecoin', 'xrp')
      GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 4
      ON CONFLICT (address_id, token, network) DO UPDATE SET amount = u.amount + excluded.amount;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Whatever such an address received was added to the network that paid it first, whose signer may have deleted it all since. Each of its
-- networks gets what it ever received there: the signer asks a node for the balance, and corrects it.
INSERT INTO "unswept_amounts" (address_id, token, env, network, amount)
  SELECT d.address_id, d.token, d.env, d.network, sum(d.amount) FROM deposits d
  WHERE (d.address_id, d.token) IN (
      SELECT other.address_id, other.token FROM deposits other JOIN addresses a ON a.id = other.address_id
      WHERE other.unmatched_reason IS NOT NULL AND other.network <> a.network)
    AND d.status IN (1, 3) AND d.network NOT IN ('bitcoin', 'litecoin', 'dogecoin', 'xrp')
  GROUP BY 1, 2, 3, 4
  ON CONFLICT (address_id, token, network) DO UPDATE SET amount = excluded.amount, retry_at = NULL;
--> statement-breakpoint
CREATE INDEX "payment_links_open" ON "payment_links" USING btree ("merchant_id","env","created_at","id") WHERE state = 'open';

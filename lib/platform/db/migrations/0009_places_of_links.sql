-- In the order of the program's transactions.
LOCK TABLE merchants, customers, forms, pos_devices, payment_links IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
ALTER TABLE "payment_links" DROP CONSTRAINT "payment_links_merchant_id_merchants_id_fk";--> statement-breakpoint
ALTER TABLE "payment_links" DROP CONSTRAINT "payment_links_customer_id_customers_id_fk";--> statement-breakpoint
ALTER TABLE "payment_links" DROP CONSTRAINT "payment_links_form_id_forms_id_fk";--> statement-breakpoint
ALTER TABLE "payment_links" DROP CONSTRAINT "payment_links_pos_device_id_pos_devices_id_fk";
--> statement-breakpoint
-- Instead of foreign keys, as in the ledger (0007). A session keeps the plans of its triggers. Those made while a table was small would read all of
-- it for each row, until it is analyzed: such a plan is not to be made.
CREATE FUNCTION payment_links_have_places() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (SELECT FROM added l WHERE
      (SELECT true FROM public.merchants m WHERE m.id = l.merchant_id) IS NULL
      OR (l.customer_id IS NOT NULL AND (SELECT true FROM public.customers c
        WHERE c.id = l.customer_id AND c.merchant_id = l.merchant_id AND c.env = l.env) IS NULL)
      OR (l.form_id IS NOT NULL AND (SELECT true FROM public.forms f
        WHERE f.id = l.form_id AND f.merchant_id = l.merchant_id AND f.env = l.env) IS NULL)
      OR (l.pos_device_id IS NOT NULL AND (SELECT true FROM public.pos_devices d
        WHERE d.id = l.pos_device_id AND d.form_id = l.form_id) IS NULL)) THEN
    RAISE foreign_key_violation USING MESSAGE = 'a payment link has a merchant, and a customer, form and device of that merchant';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER payment_links_have_places AFTER INSERT ON payment_links
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION payment_links_have_places();
--> statement-breakpoint
CREATE FUNCTION places_of_links_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'payment links keep what they refer to: % on % refused', TG_OP, TG_TABLE_NAME;
END $$;
--> statement-breakpoint
CREATE TRIGGER payment_links_keep_places BEFORE UPDATE OF merchant_id, env, customer_id, form_id, pos_device_id ON payment_links
  FOR EACH STATEMENT EXECUTE FUNCTION places_of_links_stay();
--> statement-breakpoint
CREATE TRIGGER merchants_stay BEFORE UPDATE OF id OR DELETE OR TRUNCATE ON merchants
  FOR EACH STATEMENT EXECUTE FUNCTION places_of_links_stay();
--> statement-breakpoint
CREATE TRIGGER customers_stay BEFORE UPDATE OF id, merchant_id, env OR DELETE OR TRUNCATE ON customers
  FOR EACH STATEMENT EXECUTE FUNCTION places_of_links_stay();
--> statement-breakpoint
CREATE TRIGGER forms_stay BEFORE UPDATE OF id, merchant_id, env OR DELETE OR TRUNCATE ON forms
  FOR EACH STATEMENT EXECUTE FUNCTION places_of_links_stay();
--> statement-breakpoint
CREATE TRIGGER pos_devices_stay BEFORE UPDATE OF id, form_id OR DELETE OR TRUNCATE ON pos_devices
  FOR EACH STATEMENT EXECUTE FUNCTION places_of_links_stay();
--> statement-breakpoint
ALTER FUNCTION ledger_transfers_have_accounts() SET enable_seqscan = off;--> statement-breakpoint
ALTER FUNCTION ledger_postings_have_transfers() SET enable_seqscan = off;--> statement-breakpoint
ALTER FUNCTION transfer_values_have_transfers() SET enable_seqscan = off;--> statement-breakpoint
ALTER FUNCTION keep_paid_address_counts() SET enable_seqscan = off;

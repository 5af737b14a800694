-- One person is one customer, whatever the case of the e-mail address. The oldest row of a mailbox stays, with its id
-- and its address as it was first sent. It gets the newest names, the newest phone and the operator's notes of all
-- rows, and what points to the other rows points to it. Links keep the details that were submitted with them.
LOCK TABLE "customers" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
DROP INDEX "customers_identity";--> statement-breakpoint
-- payment_links has no index on customer_id: PostgreSQL would read the whole table for each deleted customer. Adding
-- the constraints again reads each table once, and proves that nothing points to a deleted row.
ALTER TABLE "addresses" DROP CONSTRAINT "addresses_customer_id_customers_id_fk";--> statement-breakpoint
ALTER TABLE "payment_links" DROP CONSTRAINT "payment_links_customer_id_customers_id_fk";--> statement-breakpoint
WITH mailboxes AS (
  SELECT min(id) AS kept, array_agg(id) AS ids,
    (array_agg(first_name ORDER BY id DESC))[1] AS first_name,
    (array_agg(last_name ORDER BY id DESC))[1] AS last_name,
    (array_agg(phone ORDER BY id DESC) FILTER (WHERE phone IS NOT NULL))[1] AS phone,
    bool_or(blacklisted) AS blacklisted, bool_or(verified) AS verified
  FROM customers GROUP BY merchant_id, env, lower(email) HAVING count(*) > 1),
merged AS (
  SELECT id, kept FROM mailboxes, unnest(ids) AS id WHERE id <> kept),
moved_addresses AS (
  UPDATE addresses SET customer_id = merged.kept FROM merged WHERE addresses.customer_id = merged.id),
moved_links AS (
  UPDATE payment_links SET customer_id = merged.kept FROM merged WHERE payment_links.customer_id = merged.id),
kept_customers AS (
  UPDATE customers SET first_name = m.first_name, last_name = m.last_name, phone = m.phone,
    blacklisted = m.blacklisted, verified = m.verified
  FROM mailboxes m WHERE customers.id = m.kept)
DELETE FROM customers USING merged WHERE customers.id = merged.id;--> statement-breakpoint
ALTER TABLE "addresses" ADD CONSTRAINT "addresses_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "customers_identity" ON "customers" USING btree ("merchant_id","env",lower("email"));

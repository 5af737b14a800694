-- In the order of the program's transactions.
LOCK TABLE merchants, ledger_accounts, ledger_transfers, ledger_postings, transfer_values IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
ALTER TABLE "ledger_postings" DROP CONSTRAINT "ledger_postings_transfer_id_ledger_transfers_id_fk";--> statement-breakpoint
ALTER TABLE "ledger_postings" DROP CONSTRAINT "ledger_postings_account_id_ledger_accounts_id_fk";--> statement-breakpoint
ALTER TABLE "ledger_transfers" DROP CONSTRAINT "ledger_transfers_from_account_id_ledger_accounts_id_fk";--> statement-breakpoint
ALTER TABLE "ledger_transfers" DROP CONSTRAINT "ledger_transfers_to_account_id_ledger_accounts_id_fk";--> statement-breakpoint
ALTER TABLE "transfer_values" DROP CONSTRAINT "transfer_values_transfer_id_ledger_transfers_id_fk";--> statement-breakpoint
ALTER TABLE "transfer_values" DROP CONSTRAINT "transfer_values_merchant_id_merchants_id_fk";
--> statement-breakpoint
-- A foreign key asks for each row. The rows of one statement are checked together here, and more strictly. What they refer to
-- never changes or goes, so nothing is to be locked. Sub-selects: a join would be planned for the number of rows of a session's first statement.
-- Tables with their schema: a session's temporary table of the same name would come first.
CREATE FUNCTION ledger_transfers_have_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added t WHERE
      (SELECT true FROM public.ledger_accounts a WHERE a.id = t.from_account_id AND a.env = t.env AND a.token = t.token) IS NULL
      OR (SELECT true FROM public.ledger_accounts a WHERE a.id = t.to_account_id AND a.env = t.env AND a.token = t.token) IS NULL) THEN
    RAISE foreign_key_violation USING MESSAGE = 'a transfer is between two accounts of its token and environment';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_transfers_have_accounts AFTER INSERT ON ledger_transfers
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_transfers_have_accounts();
--> statement-breakpoint
CREATE FUNCTION ledger_postings_have_transfers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added p WHERE
      (SELECT (p.account_id, p.amount) IN ((t.from_account_id, -t.amount), (t.to_account_id, t.amount))
        FROM public.ledger_transfers t WHERE t.id = p.transfer_id) IS NOT TRUE) THEN
    RAISE foreign_key_violation USING MESSAGE = 'a posting is one of the two sides of its transfer';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_postings_have_transfers AFTER INSERT ON ledger_postings
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_postings_have_transfers();
--> statement-breakpoint
CREATE FUNCTION transfer_values_have_transfers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added v WHERE
      (SELECT true FROM public.ledger_transfers t WHERE t.id = v.transfer_id AND t.env = v.env) IS NULL
      OR (SELECT true FROM public.merchants m WHERE m.id = v.merchant_id) IS NULL) THEN
    RAISE foreign_key_violation USING MESSAGE = 'a value is that of a transfer of a merchant';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER transfer_values_have_transfers AFTER INSERT ON transfer_values
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION transfer_values_have_transfers();
--> statement-breakpoint
-- The key of an account's merchant keeps the merchant, and so the merchant of each value.
CREATE TRIGGER ledger_accounts_stay BEFORE UPDATE OF id, env, token, code, merchant_id OR DELETE OR TRUNCATE ON ledger_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
CREATE TRIGGER transfer_values_stay BEFORE UPDATE OF transfer_id, env, merchant_id OR DELETE OR TRUNCATE ON transfer_values
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

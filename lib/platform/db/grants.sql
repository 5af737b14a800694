-- The privileges of the program's role: it can read and write every table, but cannot change append-only tables.
-- `paylink migrate --grant ROLE` runs this as the owner of the tables, after the migrations. By hand:
--   psql --single-transaction --set=role=ROLE --file=lib/platform/db/grants.sql "$MIGRATE_DATABASE_URL"
grant usage on schema public to :"role";
grant select, insert, update, delete on all tables in schema public to :"role";
grant usage on all sequences in schema public to :"role";
grant usage on schema drizzle to :"role";
grant select on all tables in schema drizzle to :"role";
revoke update, delete on ledger_transfers, ledger_postings, audit_log from :"role";
revoke delete on ledger_accounts, transfer_values, merchants, customers, forms, pos_devices from :"role";

-- The privileges of the signer's role: it reads the queue, and can neither create withdrawals nor touch balances.
-- `paylink migrate --grant-signer ROLE` runs this as the owner of the tables, after the migrations.
revoke all on all tables in schema public from :"role";
revoke all on all sequences in schema public from :"role";
grant usage on schema public, drizzle to :"role";
grant select on drizzle.__drizzle_migrations to :"role";
grant select on withdrawals, merchants, payout_signatures, withdrawal_approvals, outgoing_transactions to :"role";
grant update (status, tx_hash, transactions, finding, failure_reason, updated_at) on withdrawals to :"role";
grant select, insert, update, delete on withdrawal_holds, signer_accounts to :"role";
grant insert on outgoing_transactions, audit_log to :"role";
grant usage on all sequences in schema public to :"role";
-- Where it looks for money to sweep, and what that is worth: hints, which it proves with the chain and its own keys.
grant select on unswept_amounts, addresses, token_prices to :"role";
grant update (amount, retry_at), delete on unswept_amounts to :"role";
-- The deposits that it spends on bitcoin, litecoin and dogecoin.
grant select (id, env, network, address_id, tx_hash, position, amount, status, block_height, block_hash, confirmed_at) on deposits to :"role";

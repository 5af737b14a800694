-- The privileges of the role of approvers with a key file (docs/operate/money-out.md): it shows a withdrawal and stores a signature, which
-- counts only if the signer's policy has its key. `paylink migrate --grant-approver ROLE` runs this as the owner of the tables.
revoke all on all tables in schema public from :"role";
revoke all on all sequences in schema public from :"role";
grant usage on schema public, drizzle to :"role";
grant select on drizzle.__drizzle_migrations to :"role";
grant select on withdrawals to :"role";
grant select (id, email) on merchants to :"role";
-- By column: a right on the whole table would allow to lock it, and an id of the audit log that is chosen stops all later entries.
grant select, insert, update (signature, created_at) on payout_signatures to :"role";
grant insert (at, actor, action, subject, merchant_id, ip, details) on audit_log to :"role";

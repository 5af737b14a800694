import { type SQL, sql } from "drizzle-orm";

/** The transfers that every buy must have, and nothing else may be called so. */
const WANTED_OF_BUYS = sql`
  select 'buy:' || id || ':cost' as cause, env, 'usdt' as token, 'merchant:' || merchant_id as from_code,
    'desk' as to_code, cost as amount from buys
  union all select 'buy:' || id || ':fee', env, 'usdt', 'merchant:' || merchant_id, 'fees', fee from buys where fee > 0
  union all select 'buy:' || id || ':token', env, token, 'desk', 'merchant:' || merchant_id, amount from buys`;

/** Checks of what transfers were worth and of buys, in the form of check-ledger.ts. */
export const VALUE_CHECKS: readonly SQL[] = [
  sql`select format('totals of merchant %s (%s) say %s in and %s out, the values of its transfers say %s and %s',
      merchant_id, env, coalesce(t.credit, 0), coalesce(t.debit, 0), coalesce(v.credit, 0), coalesce(v.debit, 0))
      as problem
    from merchant_totals t
    full join (
      select env, merchant_id, coalesce(sum(usd) filter (where direction = 'credit'), 0) as credit,
        coalesce(sum(usd) filter (where direction = 'debit'), 0) as debit
      from transfer_values group by env, merchant_id) v using (env, merchant_id)
    where (coalesce(t.credit, 0), coalesce(t.debit, 0)) is distinct from (coalesce(v.credit, 0), coalesce(v.debit, 0))`,
  sql`select format('the value of transfer %s (%s) is counted for %s of merchant %s (%s)', t.id, t.cause, v.direction,
      v.merchant_id, v.env) as problem
    from transfer_values v
    join ledger_transfers t on t.id = v.transfer_id
    join ledger_accounts f on f.id = t.from_account_id
    join ledger_accounts g on g.id = t.to_account_id
    where v.env <> t.env or 'merchant:' || v.merchant_id <>
      case when (v.direction = 'credit') = (t.reversal_of is null) then g.code else f.code end`,
  sql`select format('reversal %s is worth %s, transfer %s was counted with %s', r.transfer_id, r.usd, v.transfer_id, v.usd)
      as problem
    from transfer_values v
    join ledger_transfers t on t.reversal_of = v.transfer_id
    left join transfer_values r on r.transfer_id = t.id
    where r.usd is distinct from -v.usd or v.usd is null`,
  sql`select format('transfer %s is not what its buy says', cause) as problem
    from (${WANTED_OF_BUYS}) w
    full join (
      select t.cause, t.env, t.token, f.code as from_code, g.code as to_code, t.amount
      from ledger_transfers t
      join ledger_accounts f on f.id = t.from_account_id
      join ledger_accounts g on g.id = t.to_account_id
      where t.cause like 'buy:%' and t.reversal_of is null) t using (cause)
    where (w.env, w.token, w.from_code, w.to_code, w.amount) is distinct from
      (t.env, t.token, t.from_code, t.to_code, t.amount)`,
];

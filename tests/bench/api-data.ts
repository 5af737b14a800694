import type { Db } from "#lib/platform/db/connection.ts";

/**
 * Fills one merchant's ledger with `deposits` credited deposits, each on its own address, and three postings
 * for every two of them. Shapes and sums are as the service writes them.
 */
export async function fillBooks(db: Db, merchantId: number, deposits: number): Promise<void> {
  // One session: the settings apply to these statements only.
  for (const statement of statements(merchantId, deposits)) await db.execute(statement);
}

function statements(merchantId: number, deposits: number): readonly string[] {
  const unit = "1000000000000000000";
  return [
    `insert into account_keys (env, key) values ('test', 'bench') on conflict do nothing`,
    `insert into addresses (env, network, address, account_key_id, index, path, merchant_id, purpose)
      select 'test', 'bep20', '0x' || lpad(to_hex(n), 40, '0'), k.id, n, 'm/44''/60''/0''/0/' || n, ${merchantId}, 'merchant'
      from account_keys k, generate_series((select count(*) from addresses where merchant_id = ${merchantId}) + 1, ${deposits}) n
      where k.key = 'bench'`,
    `insert into deposits (env, network, token, merchant_id, address_id, tx_hash, position, amount, status, block_height,
        block_hash, confirmations, required_confirmations, credit_round, first_seen_at, confirmed_at)
      select 'test', 'bep20', 'usdt', ${merchantId}, a.id, '0x' || lpad(to_hex(a.index), 64, '0'), 0, ${unit}, 1, a.index,
        '0x' || a.index, 20, 20, 1, now(), now()
      from addresses a where a.merchant_id = ${merchantId} and not exists (select from deposits d where d.address_id = a.id)
      order by a.id`,
    `insert into ledger_accounts (env, token, code, merchant_id)
      select 'test', 'usdt', code, owner from (values ('custody:bep20', null::bigint), ('fees', null),
        ('merchant:${merchantId}', ${merchantId})) v(code, owner) on conflict do nothing`,
    // Two of three are credits, one is a debit.
    `with accounts as (
        select max(id) filter (where code = 'custody:bep20') as custody, max(id) filter (where code = 'fees') as fees,
          max(id) filter (where code = 'merchant:${merchantId}') as own
        from ledger_accounts where env = 'test' and token = 'usdt'),
      wanted as (
        select 'deposit:' || d.id || ':1' as cause, false as out, d.id as place from deposits d
          where d.merchant_id = ${merchantId}
        union all select 'bench:' || d.id, true, d.id from deposits d where d.merchant_id = ${merchantId} and d.id % 2 = 0)
      insert into ledger_transfers (env, token, from_account_id, to_account_id, amount, cause)
      select 'test', 'usdt', case when out then own else custody end, case when out then fees else own end,
        case when out then 1000 else ${unit}::numeric end, cause
      from wanted, accounts order by place, out on conflict do nothing`,
    `insert into ledger_postings (transfer_id, account_id, amount, balance_before, balance_after)
      select transfer, account, amount, after - amount, after from (
        select t.id as transfer, side.account, side.amount,
          sum(side.amount) over (partition by side.account order by t.id) as after
        from ledger_transfers t
          cross join lateral (values (t.from_account_id, -t.amount), (t.to_account_id, t.amount)) side(account, amount)) s
      where not exists (select from ledger_postings p where p.transfer_id = s.transfer)
      order by transfer`,
    `update ledger_accounts a set balance = coalesce((select sum(amount) from ledger_postings p where p.account_id = a.id), 0)`,
    `insert into transfer_values (transfer_id, env, merchant_id, direction, usd)
      select id, 'test', ${merchantId}, 'credit', 100000000 from ledger_transfers where cause like 'deposit:%'
      on conflict do nothing`,
    `insert into merchant_totals (env, merchant_id, credit)
      select 'test', ${merchantId}, count(*) * 100000000 from transfer_values
      on conflict (env, merchant_id) do update set credit = excluded.credit`,
    "vacuum analyze",
  ];
}

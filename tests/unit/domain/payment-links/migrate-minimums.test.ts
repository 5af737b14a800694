/** The migration that stores minimums and late payments, on a database of the version before it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type pg from "pg";
import { databaseBefore } from "#tests/support/migrate-to.ts";

let old: Awaited<ReturnType<typeof databaseBefore>>;
let client: pg.Client;

before(async () => {
  old = await databaseBefore("prices_minimums_late");
  client = old.client;
});
after(() => old.close());

/**
 * In each environment one link, which expires at 12:00:00, with a quote and eleven payments in each of two tokens. Each
 * token and environment has a minimum of its own. The times are after the deadline.
 */
const FIXTURE = `
  update token_settings set minimum_receive = v.minimum
    from (values ('live', 'usdt', 1000), ('live', 'btc', 20), ('test', 'usdt', 3000), ('test', 'btc', 0))
      as v (env, token, minimum)
    where v.env = token_settings.env and v.token = token_settings.token;
  insert into merchants (email, name) values ('one@shop.example', 'One');
  insert into account_keys (env, key) values ('live', 'live'), ('test', 'test');
  insert into customers (merchant_id, env, email, first_name, last_name)
    select 1, env, 'ada@shop.example', 'Ada', 'Obi' from (values ('live'), ('test')) as e (env);
  insert into addresses (env, network, address, account_key_id, index, path, merchant_id, purpose, customer_id)
    select c.env, n.network, n.network || c.env, k.id, n.place, 'm', 1, 'payment_link', c.id
    from customers c join account_keys k on k.key = c.env
    cross join (values (1, 'bep20'), (2, 'bitcoin')) as n (place, network);
  insert into payment_links (refid, merchant_id, env, customer_id, customer_email, customer_first_name,
      customer_last_name, payment_reference, amount, currency, success_url, cancel_url, expires_at, wallet_pre_generated)
    select env, 1, env, id, email, first_name, last_name, 'R', 100, 'usd', 'https://s.example', 'https://c.example',
      timestamptz '2026-01-01 12:00:00Z', false
    from customers;
  insert into quotes (payment_link_id, network, token, amount, asked, rate, rate_source, rate_at, valid_from, valid_until)
    select l.id, n.network, n.token, 5000, 5000, '1', 'fixed', l.expires_at, l.expires_at, l.expires_at
    from payment_links l cross join (values ('bep20', 'usdt'), ('bitcoin', 'btc')) as n (network, token);
  insert into deposits (env, network, token, merchant_id, address_id, tx_hash, position, amount, status,
      required_confirmations, first_seen_at)
    select a.env, a.network, case a.network when 'bitcoin' then 'btc' else 'usdt' end, 1, a.id, p.what, 0, p.amount, 1, 1,
      timestamptz '2026-01-01 12:00:00Z' + p.after
    from addresses a cross join (values
      ('in time', interval '-1 hour', 5000), ('in time, dust', '-1 hour', 1), ('at the deadline', '0', 5000),
      ('in its second', '999 milliseconds', 5000), ('after it', '1 second', 5000), ('after it, dust', '1 second', 1),
      ('after it, extra', '1 hour', 5000), ('after it, unreported', '1 hour', 5000),
      ('in time, unreported', '-1 hour', 5000), ('moved by a reorg', '-1 hour', 5000), ('no quote', '-1 hour', 5000)
    ) as p (what, after, amount);
  insert into payments (deposit_id, payment_link_id, quote_id, announced)
    select d.id, l.id, case d.tx_hash when 'no quote' then null else q.id end, case
      when d.tx_hash like '%unreported' or d.tx_hash = 'no quote' then null
      when d.tx_hash = 'moved by a reorg' then 'late'
      when d.tx_hash like '%extra' then 'extra' else 'completed' end
    from deposits d join payment_links l on l.env = d.env
    join quotes q on q.payment_link_id = l.id and q.token = d.token;`;

const LATE = ["after it", "after it, dust", "after it, extra", "moved by a reorg"];
const MINIMUMS: Record<string, string> = {
  "live usdt": "1000",
  "live btc": "20",
  "test usdt": "3000",
  "test btc": "0",
};

/** The rows of a table, without the columns that the migration adds. */
async function unchangedColumns(table: "quotes" | "payments"): Promise<unknown[]> {
  const { rows } = await client.query(
    `select to_jsonb(t) - 'late' - 'minimum_receive' as row from ${table} t order by 1`,
  );
  return rows;
}

test("gives quotes and payments the minimum of their token and environment, and marks reported late ones", {
  timeout: 60_000,
}, async () => {
  await client.query(FIXTURE);
  const rowsBefore = [await unchangedColumns("quotes"), await unchangedColumns("payments")];
  assert.deepEqual(
    rowsBefore.map((rows) => rows.length),
    [4, 44],
  );
  await old.migrate();
  assert.deepEqual([await unchangedColumns("quotes"), await unchangedColumns("payments")], rowsBefore);

  const quotes = await client.query(
    `select l.env || ' ' || q.token as scope, q.minimum_receive as minimum
      from quotes q join payment_links l on l.id = q.payment_link_id`,
  );
  assert.deepEqual(Object.fromEntries(quotes.rows.map(({ scope, minimum }) => [scope, minimum])), MINIMUMS);
  const payments = await client.query<{ scope: string; what: string; late: boolean; minimum: string }>(
    `select d.env || ' ' || d.token as scope, d.tx_hash as what, p.late, p.minimum_receive as minimum
      from payments p join deposits d on d.id = p.deposit_id order by d.id`,
  );
  for (const { scope, what, late, minimum } of payments.rows) {
    assert.equal(minimum, MINIMUMS[scope], `${scope}, ${what}`);
    assert.equal(late, LATE.includes(what), `${scope}, ${what}`);
  }
});

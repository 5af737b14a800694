import { sql } from "drizzle-orm";
import type { Db } from "#lib/platform/db/connection.ts";
import { sized } from "./sized.ts";

/** Each has four links, but the first, who buys every fiftieth time. */
export const CUSTOMERS = sized(250_000, 500);
export const FORM_CODE = "benchformbenchformbenc";
/** A link is made every 30 seconds: a million in 347 days. */
const SECONDS_APART = 30;

const timeOf = (n: ReturnType<typeof sql> | number) =>
  sql`(date_trunc('day', now()) - interval '350 days' + ${n}::int * ${SECONDS_APART}::int * interval '1 second')`;

/** The public identifier of the link with this number: its digits, without the characters that no refid has. */
export const refidOf = (n: number): string => `many${String(n).replaceAll("0", "A").padStart(18, "Z")}`;

/** Customers, a form with a device, and the accounts of the ledger: what the links refer to. */
export async function fillPlaces(db: Db, merchantId: number): Promise<void> {
  await db.execute(sql`update merchants set time_zone = 'Africa/Lagos' where id = ${merchantId}`);
  await db.execute(sql`insert into customers (merchant_id, env, email, first_name, last_name)
    select ${merchantId}::int, 'test', 'payer' || n || '@example.com', 'Ada' || n % 50, 'Obi' || n
    from generate_series(0, ${CUSTOMERS}::int - 1) n`);
  await db.execute(sql`with form as (
      insert into forms (code, merchant_id, env, title, currency, suggested_amounts, ask, fields, max_quantity, payment_reference)
      values (${FORM_CODE}, ${merchantId}, 'test', 'Tickets', 'ngn', '[]', '[]', '[]', 1, 'TICKET') returning id)
    insert into pos_devices (form_id, name, code_expires_at) select id, 'Counter', now() from form`);
  await db.execute(sql`insert into account_keys (env, key) values ('test', 'bench')`);
  await db.execute(sql`insert into ledger_accounts (env, token, code, merchant_id, balance) values
    ('test', 'usdt', 'custody:bep20', null, 0), ('test', 'usdt', 'merchant:' || ${merchantId}::int, ${merchantId}, 0),
    ('test', 'usdt', 'reserved:bench', null, 0)
    on conflict do nothing`);
  await db.execute(sql`insert into webhook_endpoints (merchant_id, env, url, secret)
    values (${merchantId}, 'test', 'https://shop.example/hooks', '')`);
}

/**
 * Makes the links from the number `from` to `to` (excluded), as a shop has them: of twenty, twelve are paid, six expired, one is partly paid,
 * and one is open. The amounts of those in USD grow with the time.
 */
export async function fillLinks(
  db: Db,
  merchantId: number,
  range: { readonly from: number; readonly to: number },
): Promise<void> {
  const numbers = sql`generate_series(${range.from}::int, ${range.to}::int - 1) n`;
  await db.transaction(async (tx) => {
    // Triggers keep sums of single rows. Here whole tables are written, and the sums after them.
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`insert into payment_links (refid, merchant_id, env, customer_id, customer_email, customer_first_name,
        customer_last_name, payment_reference, amount, currency, usd_cents, success_url, cancel_url, expires_at, wallet_pre_generated, state,
        completed_at, paid_network, paid_token, form_id, pos_device_id, created_at, updated_at)
      select 'many' || lpad(translate(n::text, '0', 'A'), 18, 'Z'), ${merchantId}::int, 'test', c.id, c.email, c.first_name, 'Obi' || n, 'R' || n,
        case when is_usd then 100 + n else 1000 + (n::bigint * 7919) % 10000000 end, case when is_usd then 'usd' else 'ngn' end, 1000,
        'https://shop.example/thanks', 'https://shop.example/cart', made + interval '1 hour', false, state,
        case when is_paid then made + interval '3 minutes' end, case when is_paid then network end, case when is_paid then token end,
        case when n % 4 = 0 then f.id end, case when n % 8 = 0 then d.id end, made, made
      from ${numbers}
      cross join forms f join pos_devices d on d.form_id = f.id
      cross join lateral (select case when n % 50 = 1 then 0 else n % ${CUSTOMERS}::int end as buyer, n % 5 = 2 as is_usd,
        n % 20 < 12 as is_paid, case when n % 20 < 11 then 'completed' when n % 20 < 12 then 'overpaid' when n % 20 < 18 then 'expired'
          when n % 20 < 19 then 'partial' else 'open' end as state,
        case when n % 9973 = 0 then 'bitcoin' when n % 2 = 0 then 'bep20' else 'trc20' end as network,
        case when n % 9973 = 0 then 'btc' else 'usdt' end as token,
        ${timeOf(sql`n`)} as made) part
      join customers c on c.merchant_id = ${merchantId}::int and lower(c.email) = 'payer' || buyer || '@example.com'
      where f.code = ${FORM_CODE}`);
    await fillPayments(tx, merchantId, range);
  });
  for (const table of TABLES) await db.execute(sql.raw(`vacuum analyze ${table}`));
}

const TABLES = [
  "payment_links",
  "payment_link_wallets",
  "addresses",
  "deposits",
  "payments",
  "quotes",
  "ledger_transfers",
  "ledger_postings",
  "transfer_values",
  "webhook_events",
  "webhook_deliveries",
  "customers",
] as const;

type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

/** Addresses of all links but the open ones, and of those that were paid their deposits, entries of the ledger, and webhooks. */
async function fillPayments(
  tx: Tx,
  merchantId: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const links = sql`(select l.*, translate(ltrim(substr(refid, 5), 'Z'), 'A', '0')::int as n, coalesce(paid_network, 'bep20') as network, coalesce(paid_token, 'usdt') as token
    from payment_links l where refid like 'many%' and state <> 'open'
      and created_at >= ${timeOf(from)} and created_at < ${timeOf(to)}) l`;
  await tx.execute(sql`insert into addresses (env, network, address, account_key_id, index, path, merchant_id, purpose, created_at)
    select 'test', l.network, case l.network when 'trc20' then 'T' when 'bitcoin' then 'bcrt1q' else '0x' end || substr(md5('a' || n) || md5('b' || n), 1,
      case l.network when 'trc20' then 33 else 40 end), k.id, n, 'm/' || n, ${merchantId}::int, 'payment_link', l.created_at
    from ${links} cross join account_keys k where k.key = 'bench'`);
  await tx.execute(sql`insert into payment_link_wallets (payment_link_id, network, token, address_id, created_at)
    select l.id, l.network, l.token, a.id, l.created_at
    from ${links} join account_keys k on k.key = 'bench' join addresses a on a.account_key_id = k.id and a.index = n`);
  await tx.execute(sql`insert into quotes (payment_link_id, network, token, amount, asked, rate, rate_source, rate_at, valid_from, valid_until)
    select l.id, l.network, l.token, 1000000, 1000000, '1600', 'fixed', l.created_at, l.created_at, l.created_at + interval '15 minutes' from ${links}`);
  const paid = sql`${links} join payment_link_wallets w on w.payment_link_id = l.id and l.state <> 'expired'`;
  await tx.execute(sql`insert into deposits (env, network, token, merchant_id, address_id, tx_hash, position, amount, status, block_height,
      block_hash, block_time, confirmations, required_confirmations, first_seen_at, confirmed_at, credit_round, created_at)
    select 'test', l.network, l.token, ${merchantId}::int, w.address_id, '0x' || md5('c' || n) || md5('d' || n), 0, 1000000, 1, n, 'block' || n,
      l.created_at, 20, 3, l.created_at, l.created_at, 1, l.created_at
    from ${paid} order by n`);
  await tx.execute(sql`insert into payments (deposit_id, payment_link_id, quote_id)
    select d.id, l.id, q.id from ${paid} join deposits d on d.address_id = w.address_id join quotes q on q.payment_link_id = l.id`);
  await fillLedger(tx, merchantId, sql`${paid} join deposits d on d.address_id = w.address_id`);
  await tx.execute(sql`with events as (
      insert into webhook_events (merchant_id, env, type, body, created_at)
      select ${merchantId}::int, 'test', 'payment_link_completed', '{"data":{"refid":"' || l.refid || '"}}', l.created_at
      from ${paid} order by n returning id, created_at)
    insert into webhook_deliveries (event_id, endpoint_id, status, attempts, last_status, created_at)
    select e.id, p.id, case when e.id % 5000 = 0 then 'failed' else 'delivered' end, 1, 200, e.created_at
    from events e cross join webhook_endpoints p where p.merchant_id = ${merchantId}`);
}

/**
 * For each deposit a transfer from custody to the merchant, and its value. Of twenty links nine are paid out: two more transfers. Each has
 * both postings. All in USDT.
 */
async function fillLedger(tx: Tx, merchantId: number, paid: ReturnType<typeof sql>): Promise<void> {
  await tx.execute(sql`with made as (
      insert into ledger_transfers (env, token, from_account_id, to_account_id, amount, cause, created_at)
      select 'test', 'usdt', f.id, t.id, step.amount, step.kind || ':' || d.id || ':' || step.part, l.created_at
      from ${paid}
      cross join lateral (values
        (1, 'deposit', '1', 'custody:bep20', 'merchant:' || ${merchantId}::int, 1000000),
        (2, 'withdrawal', 'reserve', 'merchant:' || ${merchantId}::int, 'reserved:bench', 900000),
        (3, 'withdrawal', 'send', 'reserved:bench', 'custody:bep20', 900000)
      ) as step(place, kind, part, from_code, to_code, amount)
      join ledger_accounts f on f.env = 'test' and f.token = 'usdt' and f.code = step.from_code
      join ledger_accounts t on t.env = 'test' and t.token = 'usdt' and t.code = step.to_code
      where step.place = 1 or n % 20 < 9
      order by n, step.place returning id, from_account_id, to_account_id, amount, cause, created_at
    ), valued as (
      insert into transfer_values (transfer_id, env, merchant_id, direction, usd, price_source)
      select id, 'test', ${merchantId}::int, 'credit', 100000000, 'fixed' from made where cause like 'deposit:%'
    ), sides as (
      select id, account, change, created_at, sum(change) over (partition by account order by id) as moved
      from made cross join lateral (values (from_account_id, -amount), (to_account_id, amount)) as side(account, change))
    insert into ledger_postings (transfer_id, account_id, amount, balance_before, balance_after, created_at)
    select s.id, s.account, s.change, a.balance + s.moved - s.change, a.balance + s.moved, s.created_at
    from sides s join ledger_accounts a on a.id = s.account order by s.id`);
  await tx.execute(sql`update ledger_accounts a set balance = coalesce(
    (select p.balance_after from ledger_postings p where p.account_id = a.id order by p.id desc limit 1), 0)`);
}

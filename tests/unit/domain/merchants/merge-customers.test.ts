/** The migration that merges the customers of one mailbox, on a database of the version before it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import pg from "pg";
import { createOrUpdateCustomer } from "#lib/domain/merchants/create-customers.ts";
import { isUniqueViolation, openDatabase } from "#lib/platform/db/connection.ts";
import { migrate } from "#lib/platform/db/migrate.ts";
import { databaseBefore } from "#tests/support/migrate-to.ts";

let old: Awaited<ReturnType<typeof databaseBefore>>;
let client: pg.Client;

before(async () => {
  old = await databaseBefore("one_customer_per_mailbox");
  client = old.client;
});
after(() => old.close());

/**
 * For two merchants in both environments: a pair, a triple, and three mailboxes that have one spelling. Every row of a
 * customer has two wallets with a deposit each, and a link with an address and a deposit.
 */
const FIXTURE = `
  insert into merchants (email, name) values ('one@shop.example', 'One'), ('two@shop.example', 'Two');
  insert into account_keys (env, key) values ('live', 'live'), ('test', 'test');
  insert into customers (merchant_id, env, email, first_name, last_name, phone, blacklisted, verified, created_at)
    select m.id, e.env, c.email, c.first_name, c.last_name, c.phone, c.blacklisted, c.verified,
      timestamptz '2026-01-01' + c.place * interval '1 day'
    from (values
      (1, 'Case@Example.net', 'Cass', 'Oldname', '+1', false, true),
      (2, 'ADA@shop.example', 'Ada', 'Obi', '+2', false, false),
      (3, 'case@example.net', 'Case', 'Newname', null, false, false),
      (4, 'ada@Shop.Example', 'Ada', 'Eze', '+3', true, false),
      (5, 'lone@example.net', 'Lone', 'One', null, false, false),
      (6, 'ada@shop.example', 'Adaeze', 'Eze', null, false, false),
      (7, 'case+1@example.net', 'Other', 'Case', null, false, false),
      (8, 'case@example.net.ng', 'Third', 'Case', null, false, false)
    ) as c (place, email, first_name, last_name, phone, blacklisted, verified)
    cross join merchants m cross join (values ('live'), ('test')) as e (env)
    order by c.place, m.id, e.env;
  insert into addresses (env, network, address, account_key_id, index, path, merchant_id, purpose, customer_id)
    select c.env, n.network, n.network || c.id || '-' || n.purpose || n.place, k.id,
      row_number() over (partition by c.env order by c.id, n.place), 'm', c.merchant_id, n.purpose, c.id
    from customers c join account_keys k on k.key = c.env
    cross join (values (1, 'bep20', 'customer'), (2, 'bitcoin', 'customer'), (3, 'bep20', 'payment_link'))
      as n (place, network, purpose);
  insert into payment_links (refid, merchant_id, env, customer_id, customer_email, customer_first_name,
      customer_last_name, payment_reference, amount, currency, success_url, cancel_url, expires_at, wallet_pre_generated)
    select 'link' || id, merchant_id, env, id, email, first_name, last_name, 'R' || id, 100, 'usd',
      'https://s.example', 'https://c.example', now(), false
    from customers;
  insert into deposits (env, network, token, merchant_id, address_id, tx_hash, position, amount, status,
      required_confirmations, first_seen_at)
    select env, network, 'usdt', merchant_id, id, 'tx' || id, 0, 1000 + id, 1, 1, now() from addresses;`;

/** Every row of every table but customers, without the column that points to them. */
async function allOtherRows(): Promise<Record<string, unknown[]>> {
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'customers' order by 1`,
  );
  const tables: Record<string, unknown[]> = {};
  for (const { name } of rows) {
    const read = await client.query(
      `select to_jsonb(t) - 'customer_id' as row from ${pg.escapeIdentifier(name)} t order by to_jsonb(t)::text`,
    );
    tables[name] = read.rows.map(({ row }) => JSON.stringify(row)).sort();
  }
  return tables;
}

/** To whom each address, link and deposit belongs. */
async function owners(): Promise<unknown[]> {
  const { rows } = await client.query(`
    select a.address as what, a.merchant_id, a.env, c.merchant_id as theirs, c.env as their_env,
      lower(c.email) as mailbox, sum(d.amount) as amount, count(d.id) as deposits
    from addresses a join customers c on c.id = a.customer_id left join deposits d on d.address_id = a.id
    group by a.id, c.id
    union all
    select l.refid, l.merchant_id, l.env, c.merchant_id, c.env, lower(c.email), null, null
    from payment_links l join customers c on c.id = l.customer_id order by what`);
  return rows;
}

test("merges pairs and triples, and moves everything that points to them, once", {
  timeout: 60_000,
}, async () => {
  await client.query(FIXTURE);
  const pointing = await client.query<{ from: string }>(
    `select conrelid::regclass::text as from from pg_constraint
      where contype = 'f' and confrelid = 'customers'::regclass order by 1`,
  );
  assert.deepEqual(
    pointing.rows.map(({ from }) => from),
    ["addresses", "payment_links"],
    "the migration knows each foreign key",
  );
  const rowsBefore = await allOtherRows();
  const ownersBefore = await owners();
  assert.equal(ownersBefore.length, 32 * 4);
  await old.migrate();
  const { rows } = await client.query(
    `select m.name, env, c.id, c.email, first_name, last_name, phone, blacklisted, verified, c.created_at
      from customers c join merchants m on m.id = merchant_id order by m.name, env, c.id`,
  );
  const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n));
  const one = (name: string, env: string, offset: number) => {
    // The rows of a place are inserted together: its first id is 4 * (place - 1) + 1.
    const row = (place: number, email: string, rest: object) => ({
      name,
      env,
      id: String(4 * (place - 1) + offset),
      email,
      ...{ phone: null, blacklisted: false, verified: false, created_at: day(place) },
      ...rest,
    });
    return [
      row(1, "Case@Example.net", { first_name: "Case", last_name: "Newname", phone: "+1", verified: true }),
      row(2, "ADA@shop.example", { first_name: "Adaeze", last_name: "Eze", phone: "+3", blacklisted: true }),
      row(5, "lone@example.net", { first_name: "Lone", last_name: "One" }),
      row(7, "case+1@example.net", { first_name: "Other", last_name: "Case" }),
      row(8, "case@example.net.ng", { first_name: "Third", last_name: "Case" }),
    ];
  };
  const expected = [
    one("One", "live", 1),
    one("One", "test", 2),
    one("Two", "live", 3),
    one("Two", "test", 4),
  ];
  assert.deepEqual(rows, expected.flat());
  assert.deepEqual(await owners(), ownersBefore);
  assert.deepEqual(await allOtherRows(), rowsBefore);
  const pointers = await client.query(
    "select count(*) from pg_constraint where contype = 'f' and convalidated \
    and confrelid = 'customers'::regclass",
  );
  assert.equal(pointers.rows[0].count, "2", "the foreign keys are back");
});

test("afterwards the database refuses a second spelling, and the program finds the first", async () => {
  const second = `insert into customers (merchant_id, env, email, first_name, last_name)
    values (1, 'live', 'CASE@EXAMPLE.NET', 'C', 'N')`;
  await assert.rejects(client.query(second), isUniqueViolation);
  await migrate(old.url);
  const database = openDatabase(old.url);
  try {
    const details = {
      merchantId: 1,
      email: "caSe@example.NET",
      firstName: "Case",
      lastName: "Newname",
      phone: null,
    };
    assert.deepEqual(await createOrUpdateCustomer(database.db, { ...details, env: "live" }), { id: 1 });
    assert.deepEqual(await createOrUpdateCustomer(database.db, { ...details, env: "test" }), { id: 2 });
  } finally {
    await database.close();
  }
});

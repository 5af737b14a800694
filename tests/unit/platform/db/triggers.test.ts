/** Triggers that check and count for all rows of a statement. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import pg from "pg";
import { databaseOfFile } from "#tests/support/file-database.ts";

const { database, url } = await databaseOfFile({ isNew: true });
const { pool } = database;

before(async () => {
  await pool.query(`
    insert into merchants (email, name) select n || '@example.com', 'Shop' from generate_series(1, 2) n;
    insert into customers (merchant_id, env, email, first_name, last_name)
      select m.id, env, 'ada@example.com', 'Ada', 'Obi' from merchants m, (values ('live'), ('test')) e (env);
    insert into forms (code, merchant_id, env, title, currency, suggested_amounts, ask, fields, max_quantity, payment_reference)
      select 'form' || m.id || env, m.id, env, 'Tickets', 'ngn', '[]', '[]', '[]', 1, 'TICKET'
      from merchants m, (values ('live'), ('test')) e (env);
    insert into pos_devices (form_id, name, code_expires_at) select id, 'Counter', now() from forms;
    insert into ledger_accounts (env, token, code) values ('test', 'usdt', 'custody:bep20'), ('test', 'usdt', 'fees');
    insert into account_keys (env, key) values ('test', 'key');
    insert into addresses (merchant_id, env, network, address, account_key_id, index, path, purpose)
      select m.id, 'test', 'bep20', 'address' || m.id, k.id, m.id, 'm', 'link' from merchants m, account_keys k`);
});

/** A link of the first merchant's test environment. Columns can be replaced by SQL. */
const insertLink = (columns: Readonly<Record<string, string>> = {}) => {
  const all: Readonly<Record<string, string>> = {
    refid: "gen_random_uuid()",
    merchant_id: "(select min(id) from merchants)",
    env: "'test'",
    customer_email: "''",
    customer_first_name: "''",
    customer_last_name: "''",
    payment_reference: "'R'",
    amount: "1",
    currency: "'usd'",
    success_url: "'https://shop.example'",
    cancel_url: "'https://shop.example'",
    expires_at: "now()",
    wallet_pre_generated: "false",
    state: "'open'",
    ...columns,
  };
  return `insert into payment_links (${Object.keys(all).join(", ")}) select ${Object.values(all).join(", ")}`;
};
const own = (table: string, also = "true") =>
  `(select t.id from ${table} t where t.merchant_id = (select min(id) from merchants) and t.env = 'test' and ${also})`;
const foreign = (table: string) => `(select max(id) from ${table} where env = 'test')`;
const otherEnv = (table: string) =>
  `(select id from ${table} where merchant_id = (select min(id) from merchants) and env = 'live')`;

const CUSTOMERS_AND_MORE = /a payment link has a merchant, and a customer, form and device of that merchant/;

test("a link may have a customer, a form and a device of its merchant", async () => {
  const device = `(select id from pos_devices where form_id = ${own("forms")})`;
  await pool.query(insertLink());
  await pool.query(
    insertLink({ customer_id: own("customers"), form_id: own("forms"), pos_device_id: device }),
  );
});

const STRAYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "merchant that does not exist": { merchant_id: "999" },
  "customer that does not exist": { customer_id: "999" },
  "customer of another merchant": { customer_id: foreign("customers") },
  "customer of the other environment": { customer_id: otherEnv("customers") },
  "form that does not exist": { form_id: "999" },
  "form of another merchant": { form_id: foreign("forms") },
  "form of the other environment": { form_id: otherEnv("forms") },
  "device that does not exist": { form_id: own("forms"), pos_device_id: "999" },
  "device of another form": { form_id: own("forms"), pos_device_id: "(select max(id) from pos_devices)" },
  "device without its form": { pos_device_id: "(select min(id) from pos_devices)" },
};

for (const [what, columns] of Object.entries(STRAYS)) {
  test(`a link is refused with a ${what}, also among others`, async () => {
    const count = async () => (await pool.query("select from payment_links")).rowCount;
    const before = await count();
    const both = `with first as (${insertLink()} returning id) ${insertLink(columns)}`;
    for (const statement of [insertLink(columns), both])
      await assert.rejects(pool.query(statement), { code: "23503", message: CUSTOMERS_AND_MORE });
    assert.equal(await count(), before);
  });
}

for (const statement of [
  "update payment_links set customer_id = null",
  "update payment_links set merchant_id = merchant_id",
  "update payment_links set form_id = null, pos_device_id = null",
  "update merchants set id = default where false",
  "delete from customers",
  "update customers set merchant_id = merchant_id",
  "delete from forms",
  "update forms set env = env",
  "delete from pos_devices",
  "update pos_devices set form_id = form_id",
  "delete from merchants",
  "truncate merchants cascade",
]) {
  test(`the database refuses: ${statement}`, () =>
    assert.rejects(pool.query(statement), /payment links keep what they refer to/));
}

describe("triggers that a session first ran on small tables", () => {
  // Small tables that were never analyzed count as larger.
  before(() => pool.query("analyze"));

  for (const [what, statements] of Object.entries({
    "a payment link": [insertLink({ merchant_id: "1", customer_id: "2", form_id: "2", pos_device_id: "2" })],
    "the ledger": [
      `insert into ledger_transfers (id, env, token, from_account_id, to_account_id, amount, cause) overriding system value
        values (7, 'test', 'usdt', 1, 2, 5, 'one')`,
      `insert into ledger_postings (transfer_id, account_id, amount, balance_before, balance_after)
        values (7, 1, -5, 0, -5), (7, 2, 5, 0, 5)`,
      "insert into transfer_values (transfer_id, env, merchant_id, direction) values (7, 'test', 1, 'credit')",
    ],
    "the first total of an address": [
      // PostgreSQL plans the lookup of a foreign key, and may read a small table.
      "alter table deposit_totals drop constraint deposit_totals_address_id_addresses_id_fk",
      "insert into deposit_totals (address_id, token, total) values (1, 'usdt', 5)",
    ],
  })) {
    test(`read no table whole for ${what}`, async () => {
      await using open = new AsyncDisposableStack();
      const session = new pg.Client(url);
      open.defer(() => session.end());
      await session.connect();
      for (const statement of ["begin", ...statements]) await session.query(statement);
      const { rows } = await session.query(
        "select relname, seq_scan from pg_stat_xact_user_tables where seq_scan > 0",
      );
      assert.deepEqual(rows, []);
    });
  }
});

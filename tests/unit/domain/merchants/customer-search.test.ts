/** Customers are found by the first characters of their address, along an index, and never another merchant's. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { searchCustomers } from "#lib/domain/merchants/queries.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { planOf } from "#tests/support/plan-of.ts";

const CUSTOMERS = 20_000;
const database = await databaseOfFile({ isNew: true });
let owner: { readonly merchantId: number; readonly env: "test" };

before(async () => {
  const { pool } = database.database;
  const { rows } = await pool.query(
    "insert into merchants (email, name) values ('a@example.com', 'A'), ('b@example.com', 'B') returning id",
  );
  owner = { merchantId: Number(rows[0].id), env: "test" };
  await pool.query(
    `insert into customers (merchant_id, env, email, first_name, last_name)
      select $1::bigint, 'test', 'payer' || n || '@example.com', 'P', 'Q' from generate_series(1, $2::integer) n
      union all select $1::bigint, e, m, 'P', 'Q' from (values ('test', 'Ada@Example.com'), ('test', 'ada_obi@example.com'),
        ('live', 'ada@live.example')) v(e, m)
      union all select $3::bigint, 'test', 'ada@other.example', 'P', 'Q'`,
    [owner.merchantId, CUSTOMERS, rows[1].id],
  );
  await pool.query("analyze customers");
});

const find = async (email: string) =>
  (await searchCustomers(database.db, owner, { email, limit: 10 })).map((one) => one.email);

test("finds the customers of one merchant and environment whose address begins so, in any case", async () => {
  assert.deepEqual(await find("ADA"), ["Ada@Example.com", "ada_obi@example.com"]);
  assert.deepEqual(await find("ada_"), ["ada_obi@example.com"]);
  assert.deepEqual(await find("ad%"), []);
  assert.equal((await find("payer")).length, 10);
});

test("reads a page of the index, whether all addresses begin so or none", async () => {
  for (const email of ["payer", "nobody"]) {
    const plan = await planOf(database, (db) => searchCustomers(db, owner, { email, limit: 10 }));
    assert.match(plan, /Index Scan using customers_email/, plan);
    assert.doesNotMatch(plan, /Sort|Seq Scan/, plan);
  }
});

/** The database role that docs/operate recommends for the program: its grants are sufficient and minimal. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { startApi } from "#tests/support/api.ts";
import { report } from "#tests/support/fault-audit.ts";
import { openEvmChain } from "#tests/support/fault-evm.ts";
import { openFaultStack } from "#tests/support/fault-stack.ts";
import { fund } from "#tests/support/fund.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { restrict } from "#tests/support/restricted-role.ts";
import { successOf } from "#tests/support/says.ts";

const whole = await startApi();
const { pool } = whole.database.database;
const url = await restrict(pool, whole.database.url, "paylink_restricted_web");
const database = openDatabase(url);
const api = await startApi({ database });
after(async () => {
  await api.close();
  await database.close();
  await pool.query("drop owned by paylink_restricted_web; drop role paylink_restricted_web");
  await whole.close();
});

test("the role can do everything that a merchant needs", async () => {
  const merchant = await whole.merchant();
  await fund(database.db, { merchantId: merchant.id, token: "usdt", amount: "1000" }, new Date());
  const client = api.client(merchant.test);
  const { data } = successOf(
    await client.POST("/payment-links", {
      params: { header: { "idempotency-key": "one" } },
      body: { ...PAYMENT_LINK, wallets: [{ network: "bep20", token: "USDT" }] },
    }),
  );
  successOf(await client.GET("/payment-links/{refid}", { params: { path: { refid: data.refid } } }));
  successOf(await client.POST("/wallets/generate-merchant-wallet", { body: { network: "bep20" } }));
  successOf(await client.POST("/trade/buy", { body: { token: "btc", amount: "0.001" } }));
  const { history } = successOf(await client.POST("/history", { body: { email: merchant.email } })).data;
  // The credit, and the cost, the fee and the bought amount of the buy.
  assert.equal(history.length, 4);
});

test("the role cannot change or delete insert-only rows, nor create, change or drop a table", async () => {
  for (const statement of [
    "update ledger_postings set amount = amount",
    "delete from ledger_postings",
    "truncate ledger_postings",
    "update ledger_transfers set amount = amount",
    "delete from ledger_transfers",
    "delete from ledger_accounts",
    "delete from transfer_values",
    "delete from merchants",
    "delete from customers",
    "delete from forms",
    "delete from pos_devices",
    "update audit_log set actor = actor",
    "delete from audit_log",
    "alter table ledger_postings disable trigger all",
    "drop table ledger_postings",
    "create table mine (id int)",
    "create schema mine",
    "delete from drizzle.__drizzle_migrations",
    "set session_replication_role = replica",
  ]) {
    await assert.rejects(database.pool.query(statement), { code: "42501" }, statement);
  }
  // Every table with an insert-only trigger is in the revoke.
  const { rows } = await pool.query(`
    select distinct tgrelid::regclass::text as name, has_table_privilege('paylink_restricted_web', tgrelid, 'update, delete, truncate') as changeable
    from pg_trigger where tgname like '%append_only' order by name`);
  assert.deepEqual(
    rows,
    ["audit_log", "ledger_postings", "ledger_transfers"].map((name) => ({ name, changeable: false })),
  );
  const { rows: staying } = await pool.query(`
    select distinct tgrelid::regclass::text as name, has_table_privilege('paylink_restricted_web', tgrelid, 'delete, truncate') as deletable
    from pg_trigger where tgname like '%\\_stay' order by name`);
  assert.deepEqual(
    staying,
    ["customers", "forms", "ledger_accounts", "merchants", "pos_devices", "transfer_values"].map((name) => ({
      name,
      deletable: false,
    })),
  );
});

test("a temporary table of the same name deceives no check of the ledger", async (t) => {
  const client = await database.pool.connect();
  t.after(() => client.release(true));
  const [account, other] = (await client.query<{ id: string }>("select id from ledger_accounts limit 2"))
    .rows;
  await client.query(`create temporary table ledger_transfers as select 999999 as id, 1::bigint as from_account_id,
    1::bigint as to_account_id, 5::numeric as amount`);
  await client.query("update pg_temp.ledger_transfers set from_account_id = $1, to_account_id = $2", [
    account?.id,
    other?.id,
  ]);
  const forged = `insert into public.ledger_postings (transfer_id, account_id, amount, balance_before, balance_after)
    values (999999, $1, 5, 0, 5)`;
  await assert.rejects(
    client.query(forged, [other?.id]),
    /a posting is one of the two sides of its transfer/,
  );
});

test("a temporary table of the same name deceives no check of payment links", async () => {
  const client = await database.pool.connect();
  const { rows } = await client.query<{ row: object }>(
    'select to_jsonb(l) || \'{"id": 0, "refid": "forged", "customer_id": 999999}\' as row from payment_links l limit 1',
  );
  await client.query(`create temporary table customers as
    select 999999 as id, merchant_id, env from public.payment_links limit 1`);
  const forged = `insert into public.payment_links overriding system value
    select * from jsonb_populate_record(null::public.payment_links, $1)`;
  await assert.rejects(
    client.query(forged, [rows[0]?.row]),
    /a payment link has a merchant, and a customer, form and device of that merchant/,
  );
  client.release(true);
});

test("a worker with only this role reads the chain, credits and settles, and does not start when a migration is missing", async (t) => {
  const startedAt = Date.now();
  const stack = await openFaultStack(await openEvmChain());
  t.after(stack.close);
  const owner = String(stack.pool.options.connectionString);
  const role = "paylink_restricted_worker";
  const env = { DATABASE_URL: await restrict(stack.pool, owner, role) };
  const worker = await stack.startWorker(env);
  await stack.followed();
  const links = [await stack.link(20), await stack.link(30)];
  for (const { address, amount } of links) await stack.chain.pay(address, amount);
  report("restricted role", await stack.audit(), { payments: links.length }, startedAt);
  for (const { refid } of links) assert.equal(await stack.linkState(refid), "completed");
  await worker.stop();

  // As after an update. The server does not use the owner's URL next to it.
  const migrations = "drizzle.__drizzle_migrations";
  await stack.pool.query(`delete from ${migrations} where id = (select max(id) from ${migrations})`);
  await assert.rejects(stack.startWorker({ ...env, MIGRATE_DATABASE_URL: owner }), ({ message }: Error) => {
    assert.match(message, /ended with code 1/);
    assert.match(message, /"msg":"MIGRATE_DATABASE_URL is for commands of the tables' owner alone/);
    assert.match(message, /"msg":"the process cannot start"/);
    assert.ok(message.includes(`npm run -s paylink -- migrate --grant ${role}`), message);
    return true;
  });
  await stack.pool.query(`drop owned by ${role}; drop role ${role}`);
});

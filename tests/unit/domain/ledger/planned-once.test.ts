/** The statements of the ledger are planned once per connection, and their plans stay good when the ledger grows. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type BuyDeps, buyToken } from "#lib/domain/ledger/buy-token.ts";
import { postTransfer } from "#lib/domain/ledger/post-transfers.ts";
import type { Rates } from "#lib/domain/rates/types.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { programActAt } from "#tests/support/acts.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { fund, units } from "#tests/support/fund.ts";
import { keptPlanOf, listKept, TIMES } from "#tests/support/kept-plans.ts";
import { aMerchant } from "#tests/support/unmatched.ts";

const now = new Date("2026-03-01T12:00:00.000Z");
const PRICES: Record<string, string> = { usdt: "1", btc: "60000" };
const rates: Rates = {
  current: (token, currency) =>
    currency === "usd" && PRICES[token] ? { price: PRICES[token], source: "test", at: now } : null,
  refresh: async () => {},
  start: () => {},
  stop: () => {},
};
/** As many buys as one batch takes. */
const BATCH = 100;
/** Merchants who have never bought anything. */
const OTHERS = 20_000;
const base = await databaseOfFile();
// Statements and their plans are those of a connection.
const { db, pool, close } = openDatabase(base.url, { max: 1 });
const deps: BuyDeps = { db, rates, deskLimitUsd: 1_000_000, deskSpreadBps: 0 };
const order = { feePercentage: "1", token: "btc", amount: units("btc", "0.0001") } as const;
let merchants: readonly number[] = [];

before(async () => {
  merchants = await Promise.all(
    Array.from({ length: BATCH }, (_, n) => aMerchant(base.db, `m${n}@example.com`)),
  );
});
after(close);

const buyFor = (merchantId: number) => buyToken(programActAt(db, merchantId, now), { deps, order });

async function isKept(...names: readonly string[]): Promise<void> {
  const kept = await listKept(db);
  for (const name of names) assert.equal(kept.get(name), true, name);
}

describe("planned once per connection", () => {
  test("are the statements that create accounts and write transfers", async () => {
    for (const merchantId of merchants)
      await fund(db, { merchantId, token: "usdt", amount: "1000" }, now, "1");
    await isKept("ledger_accounts", "create_ledger_accounts", "lock_ledger_accounts", "write_ledger_entries");
  });

  test("are the statements of buys, one by one and many at once", async () => {
    const [first = 0] = merchants;
    for (let i = 0; i < TIMES; i++) assert.deepEqual(await buyFor(first), { ok: true });
    await isKept("trade_settings", "lock_buy_accounts", "write_buys");
    for (let i = 0; i < TIMES; i++) await Promise.all(merchants.map(buyFor));
    const { rows } = await pool.query<{ custom: string }>(
      "select max(custom_plans) as custom from pg_prepared_statements where name like '%buy%'",
    );
    assert.ok(Number(rows[0]?.custom) < TIMES, "still");
  });
});

describe("with the accounts of many merchants", () => {
  before(async () => {
    // Only the plans are of interest: without triggers and references the rows take a second.
    await pool.query("set session_replication_role = replica");
    await pool.query(`
      insert into ledger_accounts (env, token, code, merchant_id)
      select 'test', token, 'merchant:' || n, n from generate_series(1000, 1000 + ${OTHERS}) n,
        (values ('usdt'), ('btc'), ('eth'), ('ltc')) t (token)`);
    await pool.query("set session_replication_role = default");
    await pool.query("vacuum analyze");
    for (let i = 0; i < TIMES; i++) await Promise.all(merchants.map(buyFor));
    const transfer = { env: "test", token: "usdt", from: "custody:bep20", to: "fees", amount: 1n } as const;
    for (let i = 0; i < TIMES; i++)
      await db.transaction((tx) => postTransfer(tx, { ...transfer, cause: `operator:test:${i}` }, now));
  });

  for (const name of ["lock_buy_accounts", "lock_ledger_accounts", "write_buys", "write_ledger_entries"])
    test(`${name} reads them from an index, and compares no row with each other`, async () => {
      const plan = await keptPlanOf(db, name);
      assert.match(plan, /ledger_accounts/);
      assert.doesNotMatch(plan, /Seq Scan on ledger_accounts/, plan);
      // Three transfers of a hundred buys, and twice as many postings.
      assert.doesNotMatch(plan, /Nested Loop[^\n]*\n\s+Join Filter/, plan);
    });
});

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { buys } from "#lib/domain/ledger/tables.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { lockKey } from "#lib/web/api/idempotency-store.ts";
import { startTestApi, type TestMerchant } from "#tests/support/api.ts";
import { fund } from "#tests/support/fund.ts";
import { refused, succeeded } from "#tests/support/says.ts";
import { until } from "#tests/support/until.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startTestApi({ now: () => AT });
const { db } = api.database;
/** Another web process on the same database. */
const database = openDatabase(api.database.url);
after(() => database.close());
const other = await startTestApi({ now: () => AT, database });

const buy = (by: TestMerchant, key: string, { at = api, amount = "0.001" } = {}) =>
  at.client(by.test).POST("/trade/buy", {
    params: { header: { "idempotency-key": key } },
    body: { amount, token: "btc" },
  });
const bought = async (response: ReturnType<typeof buy>) =>
  succeeded(await response, "buy completed successfully", null);
async function shop(usdt: string): Promise<TestMerchant> {
  const merchant = await api.merchant();
  await fund(db, { merchantId: merchant.id, token: "usdt", amount: usdt }, AT);
  return merchant;
}
const countBuys = ({ id }: TestMerchant) => db.$count(buys, eq(buys.merchantId, id));
const clean = async () => assert.deepEqual((await checkLedger(db)).problems, []);

/** Runs `work` while another transaction has run a statement, and then ends that transaction. Returns what `work` waits for. */
async function whileHeld<T>(
  statement: string,
  work: (query: Query) => Promise<() => Promise<T>>,
): Promise<T> {
  const holder = await api.database.database.pool.connect();
  try {
    await holder.query("begin");
    await holder.query(statement);
    const ended = await work(async (text) => (await holder.query(text)).rows.length > 0);
    await holder.query("rollback");
    return await ended();
  } finally {
    await holder.query("rollback");
    holder.release();
  }
}

/** Whether a query has rows. */
type Query = (text: string) => Promise<boolean>;

const LEDGER = "select from ledger_accounts for update";
const WAITS = "select from pg_stat_activity where wait_event_type = 'Lock'";

/** Holds the ledger while `asking` asks, so that what it asks for is in as few batches as possible. */
const inOneBatch = <T>(first: TestMerchant, asking: () => Promise<T>[]): Promise<T[]> =>
  whileHeld(LEDGER, async (query) => {
    const before = buy(first, "before");
    await until("the first batch to wait", () => query(WAITS));
    const asked = Promise.all(asking());
    return async () => {
      await bought(before);
      return asked;
    };
  });

test("buys with keys share a transaction, which stores their keys", async () => {
  const shops = await Promise.all(Array.from({ length: 20 }, () => shop("100")));
  const ask = () => shops.map((one) => bought(buy(one, "together")));
  await inOneBatch(await shop("100"), ask);
  const { rows } = await db.execute<{ buy: string; key: string }>(sql`
    select b.xmin::text as buy, k.xmin::text as key from buys b
    join idempotency_keys k on k.merchant_id = b.merchant_id and k.key = 'together'`);
  assert.equal(rows.length, shops.length);
  for (const one of rows) assert.equal(one.key, one.buy);
  assert.ok(new Set(rows.map((one) => one.buy)).size < shops.length);
  await Promise.all(ask());
  for (const one of shops) {
    assert.equal(await countBuys(one), 1);
    refused(
      await buy(one, "together", { amount: "0.0011" }),
      409,
      "idempotency key already used with a different request",
    );
  }
  await clean();
});

test("a buy that is refused leaves its key unused, and the others of its batch are placed", async () => {
  const [poor, rich] = [await shop("1"), await shop("1000")];
  await inOneBatch(await shop("100"), () => [
    buy(poor, "order").then((answer) => refused(answer, 422, "insufficient USDT balance")),
    bought(buy(rich, "order")),
  ]);
  assert.deepEqual([await countBuys(poor), await countBuys(rich)], [0, 1]);
  await fund(db, { merchantId: poor.id, token: "usdt", amount: "100" }, AT);
  await bought(buy(poor, "order"));
  assert.equal(await countBuys(poor), 1);
  await clean();
});

test("a request that two processes get at once buys once, and both answer", async () => {
  const merchant = await shop("10000");
  const odd = ['{"a,b"}', "\\x00'--", "NULL", "caf\u00e9", "k".repeat(255)];
  const keys = [...odd, ...Array.from({ length: 40 }, (_, n) => `order ${n}`)];
  await Promise.all(keys.flatMap((key) => [api, other].map((at) => bought(buy(merchant, key, { at })))));
  assert.equal(await countBuys(merchant), keys.length);
  await clean();
});

test("a key that another transaction has locked holds back only its own request", async () => {
  const merchant = await shop("1000");
  let held: Promise<void> | null = null;
  await db.transaction(async (tx) => {
    const claim = {
      merchantId: merchant.id,
      env: "test",
      key: "held",
      requestHash: Buffer.alloc(32),
    } as const;
    await lockKey(tx, { ...claim, waitMs: 1_000 });
    held = bought(buy(merchant, "held"));
    for (let n = 0; n < 5; n++) await bought(buy(merchant, `free ${n}`, { at: n % 2 ? api : other }));
    assert.equal(await countBuys(merchant), 5);
  });
  await held;
  assert.equal(await countBuys(merchant), 6);
  await clean();
});

test("where the batch fails, nothing is bought and no key is used", async () => {
  const merchant = await shop("1000");
  await db.execute(
    sql.raw(`create function fail() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$;
      create trigger fail before insert on buys for each row execute function fail()`),
  );
  const { response } = await buy(merchant, "failed");
  assert.equal(response.status, 500);
  await db.execute(sql.raw("drop trigger fail on buys"));
  assert.equal(await countBuys(merchant), 0);
  await bought(buy(merchant, "failed"));
  assert.equal(await countBuys(merchant), 1);
  await clean();
});

test("a row of a key that another transaction writes without its lock holds back only the buys of that key", async () => {
  const [merchant, stranger] = [await shop("1000"), await shop("1000")];
  const written = `insert into idempotency_keys (merchant_id, env, key, request_hash)
    values (${merchant.id}, 'test', 'written', '\\x00')`;
  await whileHeld(written, async () => {
    const held = buy(merchant, "written");
    const plain = api.client(stranger.test).POST("/trade/buy", { body: { amount: "0.001", token: "btc" } });
    await Promise.all([bought(buy(stranger, "own")), bought(plain)]);
    assert.deepEqual([await countBuys(merchant), await countBuys(stranger)], [0, 2]);
    return () => bought(held);
  });
  assert.equal(await countBuys(merchant), 1);
  await clean();
});

test("a batch that has its keys waits for the ledger as long as it takes", async () => {
  const merchant = await shop("1000");
  await whileHeld(LEDGER, async (query) => {
    const waiting = buy(merchant, "patient");
    const forLong = `${WAITS} and clock_timestamp() - query_start > interval '700 ms'`;
    await until("the batch to wait for longer than for a key", () => query(forLong));
    return () => bought(waiting);
  });
  await clean();
});

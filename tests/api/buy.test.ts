import assert from "node:assert/strict";
import { test } from "node:test";
import { and, eq } from "drizzle-orm";
import { FIXED_RATES } from "#lib/demo/demo-files.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { buys } from "#lib/domain/ledger/tables.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { tokenSettings } from "#lib/domain/settings/tables.ts";
import { openLog } from "#lib/platform/log/open-log.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { RequestBody } from "#packages/client/src/client.ts";
import { startTestApi, type TestMerchant } from "#tests/support/api.ts";
import { fund, units } from "#tests/support/fund.ts";
import { refused, succeeded, successOf } from "#tests/support/says.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const EARLIER = new Date("2026-03-01T11:00:00.000Z");
const api = await startTestApi({ now: () => AT });
const limited = await startTestApi({ now: () => AT, deskLimitUsd: 1_000 });

type Order = RequestBody<"/trade/buy">;
type Filter = Partial<RequestBody<"/history">>;
interface How {
  readonly key?: string;
  readonly once?: string;
  readonly at?: typeof api;
}
const buy = (body: Order, by: TestMerchant, { key = by.test, once = "", at = api }: How = {}) =>
  at.client(key).POST("/trade/buy", {
    ...(once && { params: { header: { "idempotency-key": once } } }),
    body,
  });
const bought = async (response: Promise<Parameters<typeof succeeded>[0]>) =>
  succeeded(await response, "buy completed successfully", null);

const balances = async (of: TestMerchant, at = api) =>
  successOf(await at.client(of.test).POST("/balances")).data.balance;
async function history(of: TestMerchant, filter: Filter = {}): Promise<string[]> {
  const response = await api.client(of.test).POST("/history", { body: { email: of.email, ...filter } });
  return successOf(response).data.history.map(
    (e) => `${e.status} ${e.direction} ${e.token} ${e.amount}: ${e.balance_before} → ${e.balance_after}`,
  );
}
async function funded(usdt: string, at = api): Promise<TestMerchant> {
  const merchant = await at.merchant();
  await fund(at.database.db, { merchantId: merchant.id, token: "usdt", amount: usdt }, EARLIER);
  return merchant;
}
const clean = async (at = api) => assert.deepEqual((await checkLedger(at.database.db)).problems, []);
const buysOf = (merchant: TestMerchant) =>
  api.database.db.select().from(buys).where(eq(buys.merchantId, merchant.id));

// Register this before any test: the file ends after the registered tests, whatever the module still awaits.
const poor = await funded("600");

test("a buy debits cost and fee in USDT and credits the token in one step", async () => {
  const merchant = await funded("1000");
  await bought(buy({ amount: "0.01", token: "btc" }, merchant));
  const { usdt, btc } = await balances(merchant);
  assert.deepEqual([usdt, btc], ["394", "0.01"]);
  assert.deepEqual(await history(merchant), [
    "1 credit btc 0.01: 0 → 0.01",
    "1 debit usdt 6: 400 → 394",
    "1 debit usdt 600: 1000 → 400",
    "1 credit usdt 1000: 0 → 1000",
  ]);
  const [row, ...others] = await buysOf(merchant);
  assert.deepEqual(others, []);
  assert.deepEqual(row, {
    ...{ id: row?.id, env: "test", merchantId: merchant.id, token: "btc", amount: 1_000_000n },
    ...{ cost: units("usdt", "600"), fee: units("usdt", "6") },
    ...{ price: "60000", priceSource: "fixed", priceAt: AT, createdAt: AT },
  });
  const { data } = successOf(await api.client(merchant.test).GET("/analytics/stats"));
  assert.deepEqual(data, { total_volume: "2206", total_credit: "1600", total_debit: "606" });
  await clean();
});

test("a buy costs the spread more, and is refused while USDT is off its dollar", async () => {
  const log = openLog("silent");
  const spread = await startTestApi({ now: () => AT, deskSpreadBps: 100 });
  const merchant = await funded("1000", spread);
  await bought(buy({ amount: "0.01", token: "btc" }, merchant, { at: spread }));
  assert.equal((await balances(merchant, spread)).usdt, "387.94");
  await clean(spread);
  const off = await startTestApi({
    now: () => AT,
    rates: openRates({ fixed: "usdt/usd=0.98,btc/usd=60000", log }),
  });
  const other = await funded("1000", off);
  const answer = await buy({ amount: "0.01", token: "btc" }, other, { at: off });
  refused(answer, 422, "buys not currently enabled for token");
  assert.equal((await balances(other, off)).usdt, "1000");
});

test("the demo's rates price every token, and each can be bought there, except usdt", async () => {
  const demo = await startTestApi({
    now: () => AT,
    rates: openRates({ fixed: FIXED_RATES, log: openLog("silent") }),
  });
  const merchant = await funded("10000", demo);
  const { tokenConfigs } = successOf(await demo.client(merchant.test).GET("/tokens")).data;
  assert.deepEqual([tokenConfigs.length, new Set(tokenConfigs.map((one) => one.price_state)).size], [16, 1]);
  assert.ok(tokenConfigs.every(({ price_usd }) => Number(price_usd) > 0));
  const tokens = tokenConfigs.filter((one) => one.token !== "usdt");
  const orders = tokens.map((one) => ({ amount: one.minimum_trade, token: one.token as TokenCode }));
  for (const order of orders) await bought(buy(order, merchant, { at: demo }));
});

test("accepts a JSON number or a form and upper case, and rounds cost and fee up to the last unit", async () => {
  const merchant = await funded("10");
  const request = { path: "/trade/buy", key: merchant.test };
  await bought(api.send({ ...request, json: { amount: 0.00002, token: "btc" } }));
  // 1.2. The fee of 1 % is 0.012, so the minimum fee of 0.01 does not apply.
  assert.equal((await balances(merchant)).usdt, "8.788");
  await bought(api.send({ ...request, form: { amount: "0.00002", token: "BTC" } }));
  assert.equal((await balances(merchant)).usdt, "7.576");
  await clean();
});

const set = (token: TokenCode, changes: Partial<typeof tokenSettings.$inferInsert>) =>
  api.database.db
    .update(tokenSettings)
    .set(changes)
    .where(and(eq(tokenSettings.env, "test"), eq(tokenSettings.token, token)));

/** Not recorded in the history. */
const MALFORMED = [
  [{}, "(amount, token) not found in request body"],
  [{ amount: "", token: "btc" }, "(amount) not found in request body"],
  [{ amount: "abc" }, "(token) not found in request body"],
  [{ amount: "-0", token: "xyz" }, "amount must be greater than 0"],
  [{ amount: "1", token: "xyz" }, "invalid token symbol"],
  [{ amount: "0.000000001", token: "xyz" }, "invalid token symbol"],
  [{ amount: "abc", token: "btc" }, "(amount) must be a number"],
  [{ amount: "-1", token: "btc" }, "amount must be greater than 0"],
  [{ amount: "0.000000001", token: "btc" }, "amount has too many decimals"],
  [{ amount: "1e400", token: "btc" }, "amount is too large"],
] as [Record<string, string>, string][];
const RULED = [
  [{ amount: "1", token: "usdt" }, 422, "buys not currently enabled for token"],
  [{ amount: "0.00001", token: "ltc" }, 422, "buys not currently enabled for token"],
  [{ amount: "0.00001999", token: "btc" }, 422, "amount cannot be less than 0.00002"],
  [{ amount: "1.00000001", token: "btc" }, 422, "amount cannot be more than 1"],
  [{ amount: "0.0004", token: "eth" }, 422, "amount cannot be less than 0.0005"],
  [{ amount: "1", token: "eth" }, 503, "unable to get token data"],
  [{ amount: "0.01", token: "btc" }, 422, "insufficient USDT balance"],
] as const;

for (const [form, message] of MALFORMED) {
  test(`refuses and does not record ${JSON.stringify(form)}`, async () => {
    const before = await history(poor);
    refused(await api.send({ path: "/trade/buy", form, key: poor.test }), 400, message);
    assert.deepEqual(await history(poor), before);
  });
}

for (const [order, status, message] of RULED) {
  for (const once of ["", "a-key"]) {
    test(`refuses and records in history: ${order.amount} ${order.token}${once && " with a key"}`, async () => {
      await set("ltc", { buy: false });
      const before = [await balances(poor), await history(poor)] as const;
      refused(await buy(order, poor, { once }), status, message);
      const balance = order.token === "usdt" ? 600 : 0;
      const entry = `0 credit ${order.token} ${order.amount}: ${balance} → ${balance}`;
      assert.deepEqual([await balances(poor), await history(poor)], [before[0], [entry, ...before[1]]]);
      assert.deepEqual(await buysOf(poor), []);
      await clean();
    });
  }
}

test("disabled buys are reported before any other problem, and work again as soon as they are enabled", async () => {
  const merchant = await funded("1000");
  await set("btc", { buy: false });
  const off = "buys not currently enabled for token";
  refused(await buy({ amount: "99", token: "btc" }, merchant), 422, off);
  await set("btc", { buy: true, status: false });
  refused(await buy({ amount: "0.01", token: "btc" }, merchant), 422, off);
  await set("btc", { status: true });
  await bought(buy({ amount: "0.01", token: "btc" }, merchant));
  refused(await buy({ amount: "0.01", token: "btc" }, merchant, { key: merchant.live }), 422, off);
});

test("refuses a fee that is not below the cost", async () => {
  const merchant = await funded("1000");
  await set("btc", { minimumFee: units("usdt", "6") });
  const tooHigh = await buy({ amount: "0.0001", token: "btc" }, merchant);
  refused(tooHigh, 422, "fee cannot be greater than or equal to amount");
  await bought(buy({ amount: "0.00010001", token: "btc" }, merchant));
  await set("btc", { minimumFee: units("usdt", "0.01") });
  assert.equal((await balances(merchant)).usdt, "987.9994");
  await clean();
});

test("refuses a buy above the limit of the trading desk", async () => {
  const merchant = await funded("5000", limited);
  const ask = (amount: string) => buy({ amount, token: "btc" }, merchant, { at: limited });
  await bought(ask("0.01"));
  refused(await ask("0.00666667"), 422, "buys not currently enabled for token");
  await bought(ask("0.00666666"));
  assert.equal((await balances(merchant, limited)).btc, "0.01666666");
  await clean(limited);
});

test("buys once per idempotency key, and a failed buy leaves the key unused", async () => {
  const merchant = await api.merchant();
  const ask = (amount = "0.01") => buy({ amount, token: "btc" }, merchant, { once: "once" });
  refused(await ask(), 422, "insufficient USDT balance");
  await fund(api.database.db, { merchantId: merchant.id, token: "usdt", amount: "5000" }, AT);
  await Promise.all(Array.from({ length: 20 }, () => bought(ask())));
  assert.equal((await balances(merchant)).usdt, "4394");
  assert.equal((await buysOf(merchant)).length, 1);
  refused(await ask("0.02"), 409, "idempotency key already used with a different request");
});

test("a hundred concurrent buys on one balance succeed as far as it pays for them, to the unit", async () => {
  const merchant = await funded("2242.7");
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      buy({ amount: "0.001", token: "btc" }, merchant, { once: i % 3 === 0 ? `key-${i}` : "" }),
    ),
  );
  const outcomes = Map.groupBy(responses, ({ response }) => response.status);
  // 60.6 USDT each.
  assert.deepEqual([outcomes.get(200)?.length, outcomes.get(422)?.length, outcomes.size], [37, 63, 2]);
  assert.deepEqual(new Set(outcomes.get(422)?.map(({ error }) => JSON.stringify(error))).size, 1);
  const { usdt, btc } = await balances(merchant);
  assert.deepEqual([usdt, btc], ["0.5", "0.037"]);
  assert.equal((await history(merchant, { status: 0 })).length, 63);
  assert.equal((await buysOf(merchant)).length, 37);
  await clean();
});

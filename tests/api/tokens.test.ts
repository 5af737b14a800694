import assert from "node:assert/strict";
import { test } from "node:test";
import { and, eq } from "drizzle-orm";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { readSourcePrice } from "#lib/domain/rates/rules.ts";
import { storePrices } from "#lib/domain/rates/store-prices.ts";
import { tokenPrices } from "#lib/domain/rates/tables.ts";
import type { PriceSource } from "#lib/domain/rates/types.ts";
import { networkSettings, tokenSettings } from "#lib/domain/settings/tables.ts";
import { openLog } from "#lib/platform/log/open-log.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { startTestApi, type TestApi } from "#tests/support/api.ts";
import { refused, succeeded, successOf } from "#tests/support/says.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const api = await startTestApi({ now: () => NOW });
const { db } = api.database;
const merchant = await api.merchant();
const SYMBOLS = "btc eth usdt trx sol bnb ltc doge bch xrp shib ada twt busd comp usdc".split(" ");
const PRICES: Record<string, string> = { btc: "60000", usdt: "1" };
/** Tokens without a network: they cannot be sent or received. */
const NOWHERE = ["bch", "ada"];
const ALWAYS = {
  btc: '["bitcoin"]',
  eth: '["erc20","base"]',
  trx: '["trc20"]',
  sol: '["solana"]',
  bnb: '["bep20"]',
  ltc: '["litecoin"]',
  doge: '["dogecoin"]',
  xrp: '["xrp"]',
  usdc: '["erc20","bep20","solana","base"]',
};
/** By environment, because some tokens have no contract on test networks. */
const CARRIED: Record<"live" | "test", Record<string, string>> = {
  live: {
    ...ALWAYS,
    usdt: '["erc20","bep20","trc20","solana","base"]',
    busd: '["erc20","bep20"]',
    twt: '["bep20"]',
    shib: '["erc20"]',
    comp: '["erc20"]',
  },
  test: { ...ALWAYS, usdt: '["erc20","bep20","trc20"]' },
};

const ask = (env: "live" | "test") => api.client(merchant[env]).GET("/tokens");

for (const env of ["live", "test"] as const) {
  test(`${env}: lists every token complete, in the document's order`, async () => {
    const rows = await db.select().from(tokenSettings).where(eq(tokenSettings.env, env));
    const rowOf = new Map(rows.map((row) => [row.token, row]));
    const tokenConfigs = SYMBOLS.map((symbol) => {
      const token = symbol as TokenCode;
      const row = rowOf.get(token)!;
      const booked = NOWHERE.includes(token) ? 0 : 1;
      const whole = (amount: bigint) => formatAmount(amount, TOKENS[token].ledgerDecimals);
      return {
        id: row.id,
        token,
        price_usd: PRICES[token] ?? null,
        status: 1,
        send: booked,
        receive: booked,
        buy: env === "test" && token !== "usdt" ? 1 : 0,
        sell: 0,
        swap: 0,
        minimum_trade: whole(row.minimumTrade),
        maximum_trade: whole(row.maximumTrade),
        minimum_send: whole(row.minimumSend),
        maximum_send: whole(row.maximumSend),
        minimum_receive: whole(row.minimumReceive),
        maximum_receive: whole(row.maximumReceive),
        send_fee: whole(row.sendFee),
        send_networks: CARRIED[env][token] ?? "[]",
        receive_networks: CARRIED[env][token] ?? "[]",
        created_at: row.createdAt.toISOString(),
        updated_at: row.updatedAt.toISOString(),
        deleted_at: null,
        ...(PRICES[token]
          ? { price_state: "current", price_at: NOW.toISOString() }
          : { price_state: "none", price_at: null }),
      };
    });
    succeeded(await ask(env), "tokens retrieved successfully", { tokens: SYMBOLS, tokenConfigs });
  });
}

/** Market rates of these sources' BTC price, fetched once. */
async function fetchedRates(now: () => Date, sources: readonly PriceSource[]) {
  const rates = openRates({ fixed: null, log: openLog("silent"), now, sources });
  await rates.refresh();
  return rates;
}
const source = (name: string): PriceSource => ({
  name,
  urls: ["data:application/json,60000"],
  everyMs: 60_000,
  read: (response, at) => readSourcePrice(name, "btc/usd", String(response), at),
});

test("returns the last known price, also after a restart, and says so; a buy still needs a current price", async () => {
  const clock = { now: NOW };
  const now = () => clock.now;
  const later = await startTestApi({ now, rates: await fetchedRates(now, [source("one"), source("two")]) });
  const { database } = later.database;
  // Another process on the same database, whose sources do not answer.
  const restarted = await startTestApi({ now, database, rates: await fetchedRates(now, []) });
  const { test: key } = await later.merchant();
  const price = async (at: TestApi, symbol: string) => {
    const { tokenConfigs } = successOf(await at.client(key).GET("/tokens")).data;
    const { price_usd, price_state, price_at } = tokenConfigs.find(({ token }) => token === symbol)!;
    return [price_usd, price_state, price_at];
  };
  const NEVER = [null, "none", null];
  assert.deepEqual(await price(later, "btc"), ["60000", "current", NOW.toISOString()]);
  assert.deepEqual(await price(restarted, "btc"), NEVER);
  await storePrices(database.db, later.services.rates, clock.now);
  clock.now = new Date("2026-03-01T15:00:00.000Z");
  const LAST = ["60000", "last_known", NOW.toISOString()];
  assert.deepEqual([await price(later, "btc"), await price(later, "eth")], [LAST, NEVER]);
  assert.deepEqual([await price(restarted, "btc"), await price(restarted, "eth")], [LAST, NEVER]);
  const buy = await later.client(key).POST("/trade/buy", { body: { amount: "0.01", token: "btc" } });
  refused(buy, 503, "unable to get token data");
});

test("an older price never replaces a newer one", async () => {
  const rates = (price: string) => openRates({ fixed: `btc/usd=${price}`, log: openLog("silent") });
  const stored = async () => (await db.select().from(tokenPrices)).map(({ price }) => price);
  await storePrices(db, rates("60000"), NOW);
  await storePrices(db, rates("50000"), new Date(NOW.getTime() - 1));
  assert.deepEqual(await stored(), ["60000"]);
  await storePrices(db, rates("70000"), NOW);
  assert.deepEqual(await stored(), ["70000"]);
});

test("fields are in the document's order and amounts are exact", async () => {
  const { text } = await api.send({ path: "/tokens", key: merchant.test });
  assert.match(
    text,
    /"tokenConfigs":\[\{"id":\d+,"token":"btc","price_usd":60000,"status":1,"send":1,"receive":1,"buy":1,"sell":0,"swap":0,"minimum_trade":0\.00002,"maximum_trade":1,"minimum_send":0\.0001,"maximum_send":10,"minimum_receive":0\.00001,"maximum_receive":100,"send_fee":0\.00005,"send_networks":"\[\\"bitcoin\\"\]","receive_networks":"\[\\"bitcoin\\"\]","created_at":/,
  );
});

test("does not list networks that are disabled or do not allow the use; a change applies at once", async () => {
  const set = (network: string, changes: Partial<typeof networkSettings.$inferInsert>) =>
    db
      .update(networkSettings)
      .set(changes)
      .where(and(eq(networkSettings.env, "test"), eq(networkSettings.network, network)));
  const usdt = async () => {
    const { tokenConfigs } = successOf(await ask("test")).data;
    const found = tokenConfigs.find(({ token }) => token === "usdt");
    return [found?.send_networks, found?.receive_networks];
  };
  await set("erc20", { status: false });
  await set("trc20", { send: false });
  await set("bep20", { receive: false });
  assert.deepEqual(await usdt(), ['["bep20"]', '["trc20"]']);
  await set("trc20", { status: false });
  assert.deepEqual(await usdt(), ['["bep20"]', "[]"]);
  await db
    .update(tokenSettings)
    .set({ send: false })
    .where(and(eq(tokenSettings.env, "test"), eq(tokenSettings.token, "usdt")));
  assert.deepEqual(await usdt(), ["[]", "[]"]);
});

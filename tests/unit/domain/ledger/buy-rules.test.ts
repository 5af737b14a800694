import assert from "node:assert/strict";
import { test } from "node:test";
import { type BuyTerms, deskRate, priceBuy } from "#lib/domain/ledger/buy-rules.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { openLog } from "#lib/platform/log/open-log.ts";

const now = new Date("2026-03-01T12:00:00.000Z");
const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const rate = (at: Date) => ({ price: "60000", source: "kraken", at });

const terms = (changes: Partial<BuyTerms> = {}): BuyTerms => ({
  settings: { status: true, buy: true, minimumTrade: 1n, maximumTrade: 10n ** 10n, minimumFee: 0n },
  feePercentage: "1",
  price: "60000",
  usdtPrice: "1",
  ...changes,
});
const outcome = (changes: Partial<BuyTerms>) => {
  const priced = priceBuy("btc", 1_000_000n, terms(changes));
  return priced.ok ? priced.cost / 10n ** 18n : priced.reason;
};

test("the trading desk sells at prices of the last 90 seconds", () => {
  assert.equal(deskRate(rate(before(90)), 0, now)?.price, "60000");
  assert.equal(deskRate(rate(before(90.001)), 0, now), null);
  assert.equal(deskRate(null, 0, now), null);
});

test("the spread makes each price higher, and its source names it", () => {
  assert.deepEqual(deskRate(rate(now), 150, now), { price: "60900", source: "kraken +1.5%", at: now });
  const coarse = { ...rate(now), price: "0.000000100001" };
  assert.equal(deskRate(coarse, 1, now)?.price, "0.000000100012", "rounded up");
});

test("a buy needs a price of USDT, at most one percent off its dollar", () => {
  assert.equal(outcome({}), 600n);
  assert.equal(outcome({ usdtPrice: "0.99" }), 600n);
  assert.equal(outcome({ usdtPrice: "1.01" }), 600n);
  assert.equal(outcome({ usdtPrice: "0.989999999999" }), "usdt_off_dollar");
  assert.equal(outcome({ usdtPrice: "1.010000000001" }), "usdt_off_dollar");
  assert.equal(outcome({ usdtPrice: null }), "token_data_unavailable");
  assert.equal(outcome({ price: null, usdtPrice: "0.5" }), "token_data_unavailable");
});

test("rates of a largest age leave out the prices of slow sources", async () => {
  const source = (name: string, seconds: number, price: bigint) => ({
    name,
    urls: ["https://prices.example/"],
    everyMs: 30_000,
    read: () => [
      { pair: "btc/usd", price: { num: price, den: 1n }, at: before(seconds), source: name } as const,
    ],
  });
  const rates = openRates({
    fixed: null,
    log: openLog("silent"),
    fetch: async () => Response.json({}),
    sources: [source("a", 10, 60_000n), source("b", 20, 60_100n), source("c", 100, 60_600n)],
    now: () => now,
  });
  await rates.refresh();
  assert.equal(rates.current("btc", "usd", now)?.source, "a, b, c");
  assert.deepEqual(rates.current("btc", "usd", now, 90_000), {
    price: "60050",
    source: "a, b",
    at: before(20),
  });
  assert.equal(rates.current("btc", "usd", now, 15_000), null);
});

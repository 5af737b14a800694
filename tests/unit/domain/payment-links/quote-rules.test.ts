import assert from "node:assert/strict";
import { test } from "node:test";
import { createQuoteRates } from "#lib/domain/payment-links/quote-rules.ts";
import type { Rates } from "#lib/domain/rates/types.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { START } from "./facts.ts";

/** Market rates of 1600 for USDT alone, and the tokens that were asked for. */
function marketRates() {
  const asked: TokenCode[] = [];
  const rates: Rates = {
    current(token, _currency, at) {
      asked.push(token);
      return token === "usdt" ? { price: "1600", source: "kraken", at } : null;
    },
    refresh: async () => {},
    start: () => {},
    stop: () => {},
  };
  return { asked, rates };
}

test("asks for the rate of each token once, also of one that has none", () => {
  const { asked, rates } = marketRates();
  const findRate = createQuoteRates(rates, { rateMarkupBps: 0, fixedRates: null }, "ngn", START);
  const found = (["usdt", "btc", "usdt", "btc"] as const).map((token) => findRate(token)?.price ?? null);
  assert.deepEqual(found, ["1600", null, "1600", null]);
  assert.deepEqual(asked, ["usdt", "btc"]);
});

test("quotes by the fixed rates that a merchant has now", () => {
  const { rates } = marketRates();
  const price = (fixedRates: string | null) =>
    createQuoteRates(rates, { rateMarkupBps: 0, fixedRates }, "ngn", START)("usdt")?.price ?? null;
  assert.equal(price("usdt/ngn=1500"), "1500");
  assert.equal(price("usdt/ngn=1500"), "1500");
  assert.equal(price("usdt/ngn=1700"), "1700");
  assert.equal(price("usdt/ngn=nothing"), null);
  assert.equal(price("btc/ngn=96000000"), "1600", "the market's, where none is fixed");
  assert.equal(price(null), "1600");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LINK_PAIRS } from "#lib/chains/networks.ts";
import {
  FIAT_CURRENCIES,
  fixedRate,
  formatPrice,
  invert,
  marketRate,
  parseFixedRates,
  parsePrice,
  refreshDelayMs,
} from "#lib/domain/rates/rules.ts";
import type { FixedRates, PricePair, SourcePrice } from "#lib/domain/rates/types.ts";
import { CURRENCIES, type CurrencyCode, isCurrencyCode } from "#lib/platform/money/currencies.ts";
import type { Fraction } from "#lib/platform/money/fraction.ts";
import { isTokenCode } from "#lib/platform/money/tokens.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function price(text: string): Fraction {
  const parsed = parsePrice(text);
  assert.ok(parsed, `${text} is a price`);
  return parsed;
}

function figure(source: string, pair: PricePair, text: string, ageMs = 0): SourcePrice {
  return { source, pair, price: price(text), at: new Date(NOW.getTime() - ageMs) };
}

function fixed(text: string): FixedRates {
  const parsed = parseFixedRates(text);
  assert.ok(parsed.ok, text);
  return parsed.rates;
}

/** Prices of a pair, by source. */
const figures = (pair: PricePair, prices: Readonly<Record<string, string>>) =>
  Object.entries(prices).map(([source, text]) => figure(source, pair, text));

test("returns the mean, both names and the older time for two agreeing sources", () => {
  const pair = "btc/usd";
  const agreeing = [figure("kraken", pair, "60000", 1_000), figure("coingecko", pair, "60100.5", 90_000)];
  assert.deepEqual(marketRate(agreeing, "btc", "usd", NOW), {
    price: "60050.25",
    source: "coingecko, kraken",
    at: new Date(NOW.getTime() - 90_000),
  });
});

for (const [what, prices, source] of [
  ["without prices", {}, null],
  ["for one source", { kraken: "60000" }, null],
  ["for two that differ by ten percent", { a: "60000", b: "66000" }, null],
  ["for two against two", { a: "60000", b: "60000", c: "66000", d: "66000" }, null],
  ["for three without the one that differs by ten percent", { a: "60000", b: "66000", c: "60000" }, "a, c"],
] as const) {
  test(`returns ${source === null ? "no" : "a"} rate ${what}`, () => {
    const expected = source === null ? null : { price: "60000", source, at: NOW };
    assert.deepEqual(marketRate(figures("btc/usd", prices), "btc", "usd", NOW), expected);
  });
}

test("counts a crypto price for five minutes, and not from a clock far ahead", () => {
  const fresh = figure("a", "btc/usd", "60000");
  const at = (ageMs: number) =>
    marketRate([fresh, figure("b", "btc/usd", "60000", ageMs)], "btc", "usd", NOW);
  assert.ok(at(5 * MINUTE));
  assert.equal(at(5 * MINUTE + 1), null);
  assert.ok(at(-2 * MINUTE));
  assert.equal(at(-2 * MINUTE - 1), null);
});

test("counts a fiat price for two days", () => {
  const others = [...figures("btc/usd", { a: "60000", b: "60000" }), figure("a", "usd/ngn", "1500")];
  const at = (ageMs: number) =>
    marketRate([...others, figure("c", "usd/ngn", "1500", ageMs)], "btc", "ngn", NOW);
  assert.deepEqual(at(48 * HOUR), {
    price: "90000000",
    source: "a, b, c",
    at: new Date(NOW.getTime() - 48 * HOUR),
  });
  assert.equal(at(48 * HOUR + 1), null);
});

test("converts a price in USDT with the agreed USDT price", () => {
  const usdt = figures("usdt/usd", { a: "0.998", c: "0.998" });
  const btc = [figure("a", "btc/usd", "60000"), figure("b", "btc/usdt", "60120.240480961923847695")];
  assert.equal(marketRate([...usdt, ...btc], "btc", "usd", NOW)?.source, "a, b");
  assert.equal(marketRate(btc, "btc", "usd", NOW), null);
});

test("uses the real USDT price when it loses its peg", () => {
  const prices = figures("usdt/usd", { a: "0.9", b: "0.9" });
  assert.equal(marketRate(prices, "usdt", "usd", NOW)?.price, "0.9");
});

test("has a rate for every link currency that two sources have, btc and usdt included", () => {
  const crypto = [
    ...figures("btc/usd", { a: "64000", b: "64000" }),
    ...figures("usdt/usd", { a: "0.5", b: "0.5" }),
  ];
  const fiat = (Object.keys(CURRENCIES) as CurrencyCode[]).flatMap((code) =>
    figures(`usd/${code}`, { a: "2", c: "2" }),
  );
  for (const code of Object.keys(CURRENCIES) as CurrencyCode[]) {
    if (isTokenCode(code) && code !== "btc" && code !== "usdt") continue;
    const expected = { usd: "64000", btc: "1" }[code as string] ?? "128000";
    assert.equal(marketRate([...crypto, ...fiat], "btc", code, NOW)?.price, expected, code);
  }
  assert.equal(marketRate(crypto, "usdt", "btc", NOW)?.price, "0.0000078125");
});

test("prices a link in any token that it can be paid with, through US dollars", () => {
  const rates = fixed("usdt/usd=1,btc/usd=60000,eth/usd=3000,doge/usd=0.2");
  assert.equal(fixedRate(rates, "btc", "eth", NOW)?.price, "20");
  assert.equal(fixedRate(rates, "usdt", "eth", NOW)?.price, "0.000333333333");
  assert.equal(fixedRate(rates, "eth", "doge", NOW)?.price, "15000");
  for (const { token } of LINK_PAIRS) assert.ok(isCurrencyCode(token), token);
});

test("currencies and their decimals are those of Node, but where CLDR leaves out decimals that ISO 4217 has", () => {
  const fewer = "afn all cop huf idr iqd irr kpw lak lbp mga mmk pkr sos syp yer".split(" ");
  for (const code of ["usd" as const, ...FIAT_CURRENCIES].filter((one) => !fewer.includes(one))) {
    const format = new Intl.NumberFormat("en", { style: "currency", currency: code });
    assert.equal(CURRENCIES[code], format.resolvedOptions().maximumFractionDigits, code);
  }
  // The rest of Node's: withdrawn ones, units of account, and the second currency of Venezuela is not Node's.
  const others = new Set(["ang", "bgn", "cuc", "hrk", "sll", "xdr", "xsu", "zwl"]);
  const known = Intl.supportedValuesOf("currency").map((code) => code.toLowerCase());
  for (const code of known) assert.ok(isCurrencyCode(code) !== others.has(code), code);
});

test("returns exactly one for a token in itself, without any source", () => {
  assert.equal(marketRate([], "btc", "btc", NOW)?.price, "1");
  assert.equal(marketRate([], "usdt", "usdt", NOW)?.price, "1");
  assert.equal(fixedRate(new Map(), "btc", "btc", NOW)?.price, "1");
});

test("combines fixed rates over USD, and reports them as fixed", () => {
  const rates = fixed("usdt/usd=1,btc/usd=60000,usd/ngn=1500");
  assert.deepEqual(fixedRate(rates, "btc", "ngn", NOW), { price: "90000000", source: "fixed", at: NOW });
  assert.equal(fixedRate(rates, "usdt", "ngn", NOW)?.price, "1500");
  assert.equal(fixedRate(rates, "usdt", "btc", NOW)?.price, "0.000016666667");
  assert.equal(fixedRate(rates, "btc", "usdt", NOW)?.price, "60000");
  assert.equal(fixedRate(rates, "btc", "eur", NOW), null);
  assert.equal(fixedRate(rates, "eth", "usd", NOW), null);
});

test("prefers a fixed pair to the conversion over USD", () => {
  const rates = fixed("usdt/usd=1, usd/ngn=1500, usdt/ngn=1600.25");
  assert.equal(fixedRate(rates, "usdt", "ngn", NOW)?.price, "1600.25");
});

test("refuses malformed fixed rates and reports the wrong entry", () => {
  const cases: [string, string, string][] = [
    ["", "malformed", ""],
    ["usdt/usd", "malformed", "usdt/usd"],
    ["usdt/usd=1,", "malformed", ""],
    ["usdt/usd=1,xyz/usd=2", "unknown_pair", "xyz/usd=2"],
    ["usd/btc=2", "unknown_pair", "usd/btc=2"],
    ["usd/usd=1", "unknown_pair", "usd/usd=1"],
    ["ngn/usd=1", "unknown_pair", "ngn/usd=1"],
    ["usdt/usd=0", "bad_price", "usdt/usd=0"],
    ["usdt/usd=-1", "bad_price", "usdt/usd=-1"],
    ["usdt/usd=abc", "bad_price", "usdt/usd=abc"],
    ["usdt/usd=1,usdt/usd=1", "duplicate", "usdt/usd=1"],
  ];
  for (const [text, reason, entry] of cases) {
    assert.deepEqual(parseFixedRates(text), { ok: false, reason, entry }, text);
  }
});

test("rejects absurd prices", () => {
  const absurd = ["0", "0.0", "-1", "1e400", "1e-400", "1e19", "NaN", "Infinity", "", "0x10", "1,5", " 1"];
  for (const text of absurd) assert.equal(parsePrice(text), null, text);
  assert.deepEqual(parsePrice("1e3"), { num: 1000n, den: 1n });
  assert.deepEqual(parsePrice("0.1"), { num: 1n, den: 10n });
});

test("rounds a price half away from zero at the twelfth decimal", () => {
  assert.equal(formatPrice(price("1.0000000000005")), "1.000000000001");
  assert.equal(formatPrice(price("1.00000000000049")), "1");
  assert.equal(formatPrice(price("60000.10")), "60000.1");
});

test("rejects a price too small for six digits within twelve decimals", () => {
  assert.equal(formatPrice(price("0.0000001")), "0.0000001");
  assert.equal(formatPrice(price("0.00000009")), null);
});

test("agrees independently of the order of prices, between the lowest and the highest", () => {
  const texts = fc.array(fc.integer({ min: 59_000, max: 61_000 }), { minLength: 0, maxLength: 6 });
  fc.assert(
    fc.property(texts, fc.array(fc.integer(), { minLength: 6, maxLength: 6 }), (prices, keys) => {
      const given = prices.map((value, index) => figure(`s${index}`, "btc/usd", String(value)));
      const shuffled = given
        .map((item, index) => ({ item, key: keys[index] ?? 0 }))
        .sort((a, b) => a.key - b.key)
        .map(({ item }) => item);
      const rate = marketRate(given, "btc", "usd", NOW);
      assert.deepEqual(marketRate(shuffled, "btc", "usd", NOW), rate);
      if (rate === null) return;
      assert.ok(Number(rate.price) >= Math.min(...prices) && Number(rate.price) <= Math.max(...prices));
      assert.ok(rate.source.split(", ").length * 2 > prices.length);
    }),
  );
});

test("returns one for a price times its inverse", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), (num) => {
      const value = { num, den: 7n };
      assert.deepEqual(invert(value), { num: 7n / gcd(7n, num), den: num / gcd(7n, num) });
    }),
  );
});

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}

test("retries a failing source soon, then less often, but at least every two minutes", () => {
  const pauses = [0, 1, 2, 3, 4, 5, 6, 50].map((failures) =>
    refreshDelayMs({ everyMs: 30_000 }, failures, 0.5),
  );
  assert.deepEqual(pauses, [30_000, 5_000, 10_000, 20_000, 40_000, 80_000, 120_000, 120_000]);
  const hourly = { everyMs: HOUR };
  assert.equal(refreshDelayMs(hourly, 0, 0.5), HOUR);
  assert.equal(refreshDelayMs(hourly, 1, 0.5), 5_000);
  assert.equal(refreshDelayMs(hourly, 50, 0.5), 120_000);
  const limited = { ...hourly, longestRetryMs: 600_000 };
  assert.deepEqual(
    [1, 6, 7, 50].map((failures) => refreshDelayMs(limited, failures, 0.5)),
    [5_000, 160_000, 320_000, 600_000],
  );
});

test("adds a tenth of jitter to pauses in both directions", () => {
  assert.equal(refreshDelayMs({ everyMs: 30_000 }, 0, 0), 27_000);
  assert.ok(refreshDelayMs({ everyMs: 30_000 }, 0, 0.999999) <= 33_000);
});

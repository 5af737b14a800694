import assert from "node:assert/strict";
import { test } from "node:test";
import { valueBalances } from "#lib/domain/ledger/balance-rules.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

const AT = new Date("2026-11-28T08:00:00Z");
const USDT = 10n ** 18n;
const asked: TokenCode[] = [];
/** Sources agree on USDT and BTC, and not on BNB. */
const findRate = (token: TokenCode) => {
  asked.push(token);
  const price = { usdt: "1612.5", btc: "95000000.25" }[token as string];
  return price === undefined ? null : { price, source: "kraken, okx", at: AT };
};

test("balances have their exact value in the currency, rounded down, and the rate that makes it", () => {
  const valued = valueBalances(new Map([["usdt", (5n * USDT) / 3n]]), "ngn", findRate);
  assert.deepEqual(valued, {
    balances: [
      {
        token: "usdt",
        amount: (5n * USDT) / 3n,
        worth: { value: 268_749n, rate: { price: "1612.5", source: "kraken, okx", at: AT } },
      },
    ],
    total: 268_749n,
    unvalued: [],
  });
});

test("a token without a rate has no value, and the sum says that it lacks it; each rate is looked up once", () => {
  asked.length = 0;
  const units = new Map<TokenCode, bigint>([
    ["usdt", 2n * USDT],
    ["bnb", 3n * 10n ** 18n],
    ["btc", 0n],
  ]);
  const { balances, total, unvalued } = valueBalances(units, "ngn", findRate);
  assert.deepEqual(
    balances.map(({ token, worth }) => [token, worth?.value ?? null]),
    [
      ["usdt", 322_500n],
      ["bnb", null],
    ],
  );
  assert.deepEqual([total, unvalued, asked], [322_500n, ["bnb"], ["usdt", "bnb"]]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { type PaidPart, refundInTokens } from "../../../integrations/shop/src/refund-rules.ts";

const usdt: PaidPart = { network: "bep20", token: "usdt", amount: "10.01", worth: "1", status: 1 };
const btc: PaidPart = { network: "bitcoin", token: "btc", amount: "0.00008", worth: "0.6", status: 1 };

test("a full refund of an exact payment is what was paid", () => {
  assert.deepEqual(refundInTokens([usdt], { amount: "16000.5", of: "16000.50" }), {
    network: "bep20",
    token: "usdt",
    amount: "10.01",
  });
});

test("a full refund of an overpaid link leaves the excess", () => {
  const paid = { ...usdt, amount: "12.5", worth: "1.248751248751248751" };
  assert.equal(refundInTokens([paid], { amount: "16000.5", of: "16000.5" })?.amount, "10.01");
});

test("a part is rounded down to what every network of the token can carry", () => {
  assert.equal(refundInTokens([usdt], { amount: "4", of: "16000.5" })?.amount, "0.002502");
  const coins = { ...btc, amount: "0.00016", worth: "1" };
  assert.equal(refundInTokens([coins], { amount: "3", of: "10" })?.amount, "0.000048");
});

test("parts at several rates are refunded at their average", () => {
  const parts = [
    { ...usdt, amount: "6", worth: "0.5" },
    { ...usdt, amount: "5", worth: "0.5" },
  ];
  assert.equal(refundInTokens(parts, { amount: "5", of: "10" })?.amount, "5.5");
});

test("a link that was paid in two tokens is refunded in the one that paid more", () => {
  const parts = [{ ...usdt, amount: "4", worth: "0.4" }, btc];
  assert.deepEqual(refundInTokens(parts, { amount: "1", of: "10" }), {
    network: "bitcoin",
    token: "btc",
    amount: "0.00001333",
  });
});

test("what is not credited, has no rate or is too small is not refunded", () => {
  const refused: readonly PaidPart[][] = [
    [],
    [{ ...usdt, status: 0 }],
    [{ ...usdt, status: 2 }],
    [{ ...usdt, worth: null }],
    [{ ...usdt, worth: "0" }],
  ];
  for (const payments of refused) assert.equal(refundInTokens(payments, { amount: "4", of: "10" }), null);
  assert.equal(refundInTokens([usdt], { amount: "0.01", of: "16000000" }), null);
});

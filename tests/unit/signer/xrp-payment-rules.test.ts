import assert from "node:assert/strict";
import { test } from "node:test";
import { findHold, nextSequence, replacementFee } from "#lib/signer/xrp/payment-rules.ts";

const STATE = {
  ...{ ledger: 100, balance: 20_000_000n, sequence: 7, reserve: 1_400_000n, baseReserve: 1_000_000n },
  fee: 12n,
  destination: { requiresTag: false, refuses: false },
};
const PAYMENT = { destination: "r", tag: null, drops: 5_000_000n };
const LIMITS = { waiting: 0n, maxFee: 1_000n };

test("holds a payment that the ledger would refuse, that costs too much, or that takes the reserve", () => {
  assert.equal(findHold(STATE, PAYMENT, LIMITS), null);
  assert.equal(findHold({ ...STATE, destination: null }, PAYMENT, LIMITS), null);
  const small = { ...PAYMENT, drops: 999_999n };
  assert.equal(findHold({ ...STATE, destination: null }, small, LIMITS), "below_minimum");
  assert.equal(findHold(STATE, small, LIMITS), null);
  const tagged = { ...STATE, destination: { requiresTag: true, refuses: false } };
  assert.equal(findHold(tagged, PAYMENT, LIMITS), "would_fail");
  assert.equal(findHold(tagged, { ...PAYMENT, tag: 0 }, LIMITS), null);
  const closed = { ...STATE, destination: { requiresTag: false, refuses: true } };
  assert.equal(findHold(closed, PAYMENT, LIMITS), "would_fail");
  assert.equal(findHold({ ...STATE, fee: 1_001n }, PAYMENT, LIMITS), "network_fee_too_high");
  const most = { ...PAYMENT, drops: 20_000_000n - 1_400_000n - 12n };
  assert.equal(findHold(STATE, most, LIMITS), null);
  assert.equal(findHold(STATE, { ...most, drops: most.drops + 1n }, LIMITS), "hot_balance_too_low");
  assert.equal(findHold(STATE, most, { ...LIMITS, waiting: 1n }), "hot_balance_too_low");
});

test("gives the lowest sequence that no ledger and no own transaction has used", () => {
  const own = [6, 7, 9].map((sequence) => ({ spends: [`r:${sequence}`] }));
  assert.deepEqual([nextSequence(7, []), nextSequence(7, own), nextSequence(9, own)], [7, 8, 10]);
});

test("a replacement pays a quarter more, or what the ledger asks for, and never more than the cap", () => {
  assert.equal(replacementFee(12n, 12n, 1_000n), 15n);
  assert.equal(replacementFee(13n, 12n, 1_000n), 17n);
  assert.equal(replacementFee(12n, 400n, 1_000n), 400n);
  assert.equal(replacementFee(12n, 1_001n, 1_000n), null);
});

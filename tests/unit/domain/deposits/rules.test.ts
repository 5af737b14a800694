import assert from "node:assert/strict";
import { test } from "node:test";
import { NETWORKS } from "#lib/chains/networks.ts";
import { DEPOSIT_STATUSES, fromDepositNumber, toDepositNumber } from "#lib/domain/deposit-status.ts";
import {
  firstSeenTime,
  hasEnoughConfirmations,
  unmatchedReasonAfterMove,
  unmatchedReasonFor,
} from "#lib/domain/deposits/rules.ts";

test("a deposit has enough confirmations at the required number, not one below", () => {
  assert.equal(hasEnoughConfirmations(11, { requiredConfirmations: 12 }), false);
  assert.equal(hasEnoughConfirmations(12, { requiredConfirmations: 12 }), true);
});

test("a transfer is unmatched for the first reason that applies, and for no other", () => {
  const usdt = { token: "usdt", unmatchedReason: null, block: null } as const;
  const createdAt = new Date("2026-03-01T12:00:00Z");
  const own = { network: "bep20", purpose: "merchant", createdAt } as const;
  const ofLink = { network: "bep20", purpose: "payment_link", createdAt } as const;
  type Given = Parameters<typeof unmatchedReasonFor>;
  const reason = (transfer: Given[0], address: Given[2], link: Given[3]) =>
    unmatchedReasonFor(transfer, NETWORKS.bep20, address, link);
  assert.equal(reason(usdt, own, null), null);
  assert.equal(reason(usdt, { ...own, purpose: "customer" }, null), null);
  assert.equal(reason(usdt, ofLink, { token: "usdt" }), null);
  assert.equal(reason(usdt, ofLink, { token: "bnb" }), "other_token");
  assert.equal(reason(usdt, ofLink, null), "no_purpose");
  assert.equal(reason(usdt, { ...ofLink, network: "trc20" }, { token: "bnb" }), "other_network");
  assert.equal(reason({ ...usdt, unmatchedReason: "no_tag" }, own, null), "no_tag");
  const minutesBefore = (minutes: number) => ({
    ...usdt,
    block: { time: new Date(createdAt.getTime() - minutes * 60_000) },
  });
  assert.equal(reason(minutesBefore(15), own, null), null);
  assert.equal(reason(minutesBefore(15.01), own, null), "before_allocation");
  assert.equal(reason(minutesBefore(15.01), ofLink, { token: "usdt" }), "before_allocation");
  assert.equal(reason(minutesBefore(15.01), ofLink, { token: "bnb" }), "other_token");
});

test("a block may be older than its address by what its clock can lag, and a tag gets nothing from before it", () => {
  const createdAt = new Date("2026-03-01T12:00:00Z");
  const reason = (network: "bitcoin" | "litecoin" | "dogecoin" | "solana" | "xrp", seconds: number) => {
    const transfer = {
      token: "btc",
      unmatchedReason: null,
      block: { time: new Date(createdAt.getTime() - seconds * 1_000) },
    } as const;
    return unmatchedReasonFor(transfer, NETWORKS[network], { network, purpose: "merchant", createdAt }, null);
  };
  // A block's time is above the median of the 11 before it.
  assert.equal(reason("bitcoin", 7_200), null);
  assert.equal(reason("bitcoin", 7_201), "before_allocation");
  assert.equal(reason("litecoin", 1_800), null);
  assert.equal(reason("litecoin", 1_801), "before_allocation");
  assert.equal(reason("dogecoin", 900), null);
  assert.equal(reason("solana", 900), null);
  assert.equal(reason("solana", 901), "before_allocation");
  assert.equal(reason("xrp", 0), null);
  assert.equal(reason("xrp", 1), "before_allocation");
});

test("a block's clock does not change whether a recorded deposit came before its address", () => {
  assert.equal(unmatchedReasonAfterMove(null, "before_allocation"), null);
  assert.equal(unmatchedReasonAfterMove("before_allocation", null), "before_allocation");
  assert.equal(unmatchedReasonAfterMove("other_token", "before_allocation"), "other_token");
  assert.equal(unmatchedReasonAfterMove(null, "other_token"), "other_token");
  assert.equal(unmatchedReasonAfterMove("other_token", null), null);
});

test("a deposit is first seen at its block's time, but never in the future", () => {
  const now = new Date(10_000);
  assert.deepEqual(firstSeenTime(now, { time: new Date(9_000) }), new Date(9_000));
  assert.deepEqual(firstSeenTime(now, { time: new Date(11_000) }), now);
  assert.deepEqual(firstSeenTime(now, null), now);
});

test("the numbers of the statuses are those of the interface document", () => {
  assert.deepEqual(
    DEPOSIT_STATUSES.map((status) => [status, toDepositNumber(status)]),
    [
      ["seen", 0],
      ["credited", 1],
      ["dropped", 2],
      ["held", 3],
    ],
  );
  for (const status of DEPOSIT_STATUSES) assert.equal(fromDepositNumber(toDepositNumber(status)), status);
  assert.throws(() => fromDepositNumber(4));
});

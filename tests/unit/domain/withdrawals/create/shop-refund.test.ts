import assert from "node:assert/strict";
import { test } from "node:test";
import { SHARE_PARTS, type ShopRefund, shopRefundOf } from "#lib/domain/withdrawals/create/refund-rules.ts";

const WAY = { network: "trc20", token: "usdt" } as const;
const paid = { ...WAY, credited: 1_000n, refunded: 0n, claimed: 0n };

function amountOf(asked: Partial<ShopRefund>, changes: Partial<typeof paid> = {}): bigint | string {
  const whole = { of: "all", forgiven: 0n, kept: 0n, step: 1n, ...asked } as const;
  const excess = [{ ...WAY, amount: 100n }];
  const resolved = shopRefundOf(whole, [{ ...paid, ...changes }], excess, WAY);
  return resolved.ok ? resolved.amount : resolved.reason;
}

test("an amount above what is left is refunded as far as the payer was forgiven it", () => {
  assert.equal(amountOf({ of: 600n }), 600n);
  assert.equal(amountOf({ of: 1_004n, forgiven: 4n }), 1_000n);
  assert.equal(amountOf({ of: 1_005n, forgiven: 4n }), "refund_above_credited");
  assert.equal(amountOf({ of: 504n, forgiven: 4n }, { refunded: 500n }), 500n);
  assert.equal(amountOf({ of: 4n, forgiven: 4n }, { claimed: 1_000n }), "refund_above_credited");
  assert.equal(amountOf({ of: 4n, forgiven: 4n }, { credited: 0n }), "refund_not_paid_so");
});

test("a shop keeps a share of what it refunds", () => {
  assert.equal(amountOf({ kept: SHARE_PARTS / 4n }), 750n);
  assert.equal(amountOf({ of: "excess", kept: SHARE_PARTS / 2n }), 50n);
  assert.equal(amountOf({ kept: SHARE_PARTS }), 0n);
});

test("a share that the shop has kept is not refunded by asking again", () => {
  assert.equal(amountOf({ kept: SHARE_PARTS / 10n }, { refunded: 900n }), "refund_above_credited");
  assert.equal(amountOf({ kept: SHARE_PARTS / 10n }, { refunded: 300n, claimed: 200n }), 400n);
  assert.equal(amountOf({ of: "excess", kept: SHARE_PARTS / 2n }, { claimed: 100n }), "refund_no_excess");
  assert.equal(amountOf({ of: "excess", kept: SHARE_PARTS / 2n }, { refunded: 20n }), 40n);
});

test("an amount is rounded down to what the network can send", () => {
  assert.equal(amountOf({ of: 999n, step: 10n }), 990n);
  assert.equal(amountOf({ of: 999n, kept: SHARE_PARTS / 3n, step: 100n }), 600n);
});

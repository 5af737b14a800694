import assert from "node:assert/strict";
import { test } from "node:test";
import { NodeError } from "#lib/chains/network.ts";
import { boundHeight, boundTime } from "#lib/signer/node-bounds.ts";
import { rangeOf } from "#lib/signer/solana/plan-transaction.ts";

const NOW = new Date("2026-11-27T12:00:00Z");
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

test("no block is of later than clocks differ, or than bitcoin's rules allow", () => {
  for (const [network, most] of [
    ["bitcoin", 130],
    ["bep20", 10],
    ["trc20", 10],
    ["solana", 10],
    ["xrp", 10],
  ] as const) {
    assert.deepEqual(boundTime(later(most), NOW, network), later(most));
    for (const wrong of [later(most + 1), new Date(Number.NaN), new Date(8.64e15)])
      assert.throws(() => boundTime(wrong, NOW, network), NodeError);
    const old = new Date(0);
    assert.equal(boundTime(old, NOW, network), old, "an old block ends no day too early");
  }
});

test("heights of two answers are near each other", () => {
  assert.equal(boundHeight("a ledger", 110, 100, 10), 110);
  assert.equal(boundHeight("a ledger", 90, 100, 10), 90);
  for (const wrong of [111, 89, Number.NaN, 2 ** 60, 100.5])
    assert.throws(() => boundHeight("a ledger", wrong, 100, 10), NodeError);
});

test("a last block that is far ahead counts as said for an hour, then no more", () => {
  const entry = { expires: 9_000_000, at: NOW };
  assert.deepEqual(rangeOf(entry, 5_000, later(59)), { lastValid: 9_000_000, blocks: 1_151 });
  const { lastValid, blocks = 0 } = rangeOf(entry, 15_000, later(60));
  assert.equal(lastValid, 14_000);
  assert.ok(blocks * 300 >= 3_600_000, "every block since it was signed is looked at");
  assert.deepEqual(rangeOf({ expires: 5_200, at: NOW }, 5_000, later(600)), {
    lastValid: 5_200,
    blocks: 1_151,
  });
});

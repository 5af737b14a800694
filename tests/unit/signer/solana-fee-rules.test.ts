import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseUnitPrice, costOf } from "#lib/signer/solana/fee-rules.ts";

const COSTS = { signatures: 1, units: 50_000, rent: 0n };

test("a transaction costs its signatures, its compute units rounded up, and the rent of new accounts", () => {
  assert.equal(costOf(COSTS, 0n), 5_000n);
  assert.equal(costOf(COSTS, 1n), 5_001n);
  assert.equal(costOf({ signatures: 3, units: 100_000, rent: 2_039_280n }, 10_000n), 2_055_280n);
});

test("pays what recent blocks took, more after transactions that no block took, and never more than the cap", () => {
  const choose = (unitPrice: bigint, pressure = 1n, maxFee = 100_000n) =>
    chooseUnitPrice({ unitPrice }, COSTS, { pressure, maxFee });
  assert.equal(choose(0n), 10_000n);
  assert.equal(choose(0n, 4n), 40_000n);
  assert.equal(choose(30_000n, 4n), 120_000n);
  for (const [unitPrice, pressure] of [
    [0n, 64n],
    [1_800_000n, 1n],
    [1_000_000n, 64n],
  ] as const) {
    const price = choose(unitPrice, pressure) ?? 0n;
    // Also as the last of many that move the same.
    assert.ok(costOf(COSTS, price + 64n) <= 100_000n);
  }
  assert.equal(choose(1_900_000n), null, "the network asks for more than the cap");
  assert.equal(choose(0n, 1n, 4_999n), null, "the cap does not even pay the signature");
  assert.equal(
    chooseUnitPrice({ unitPrice: 0n }, { ...COSTS, rent: 2_039_280n }, { pressure: 1n, maxFee: 2_000_000n }),
    null,
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { feeWithMinimum, largestBeforeFee } from "#lib/domain/ledger/fee-rules.ts";

for (const [amount, percentage, minimum, fee] of [
  [1_000n, "1", 0n, 10n],
  [1_001n, "1", 0n, 11n],
  [1_000n, "1", 10n, 10n],
  [1_000n, "1", 11n, 11n],
  [1_000n, "0", 5n, 5n],
  [1_000n, "0", 0n, 0n],
  [1n, "0.0001", 0n, 1n],
  [1_000_000n, "0.0001", 0n, 1n],
  [1_000_001n, "0.0001", 0n, 2n],
  [1_000n, "0.75", 0n, 8n],
  [1_000n, "100", 0n, 1_000n],
] as const) {
  test(`charges ${fee} for ${amount} at ${percentage} % with a minimum of ${minimum}`, () => {
    assert.equal(feeWithMinimum(amount, percentage, minimum), fee);
  });
}

test("rejects text that is not a percentage", () => {
  assert.throws(() => feeWithMinimum(1n, "one", 0n), /not a percentage: one/);
});

test("the largest amount before its fee leaves less than one step of any sum", () => {
  for (const percentage of ["0", "0.0001", "0.75", "1", "33.3", "100"])
    for (const minimum of [0n, 1n, 250n])
      for (const step of [1n, 10n])
        for (let gross = 0n; gross < 2_000n; gross += 7n) {
          const amount = largestBeforeFee(gross, { percentage, minimum, step });
          const costs = (of: bigint) => of + feeWithMinimum(of, percentage, minimum);
          assert.equal(amount % step, 0n);
          assert.ok(amount === 0n || costs(amount) <= gross, `${amount} of ${gross}`);
          assert.ok(costs(amount + step) > gross, `more than ${amount} of ${gross}`);
        }
});

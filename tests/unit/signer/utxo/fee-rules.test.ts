import assert from "node:assert/strict";
import { test } from "node:test";
import { missingFee, replacementFee } from "#lib/signer/utxo/fee-rules.ts";

const waiting = (virtualBytes: number, satoshis: number) => ({
  virtualBytes: BigInt(virtualBytes),
  satoshis: BigInt(satoshis),
});

test("a transaction pays what those before it lack", () => {
  assert.equal(missingFee([], 10_000n), 0n);
  assert.equal(missingFee([waiting(200, 200), waiting(100, 500)], 10_000n), 2_300n);
  assert.equal(missingFee([waiting(200, 5_000)], 10_000n), 0n);
});

test("a replacement pays the rate, at least the other's fee and a step, and at most the cap", () => {
  const rates = { rate: 10_000n, step: 1_000n, cap: 50_000n };
  assert.equal(replacementFee(waiting(200, 400), [], rates), 2_000n);
  assert.equal(replacementFee(waiting(200, 1_900), [], rates), 2_100n, "the step for its own size");
  assert.equal(replacementFee(waiting(200, 2_000), [], rates), null, "it pays enough");
  assert.equal(
    replacementFee(waiting(200, 400), [waiting(300, 300)], rates),
    4_700n,
    "and for those before it",
  );
  assert.equal(
    replacementFee(waiting(200, 400), [], { ...rates, cap: 9_999n }),
    null,
    "the network asks for more",
  );
  assert.equal(
    replacementFee(waiting(200, 1_900), [], { ...rates, cap: 10_000n }),
    null,
    "the step is above the cap",
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseFees, raiseFees } from "#lib/signer/evm/fee-rules.ts";

const gwei = (amount: number) => BigInt(amount) * 1_000_000_000n;
const priceOf = (base: number, tip: number) => ({ baseFeePerGas: gwei(base), priorityFeePerGas: gwei(tip) });

test("a transaction that one wrong price left without a tip is raised once the node is right", () => {
  const fees = chooseFees(priceOf(25, 0), gwei(50));
  assert.deepEqual(fees, { maxFeePerGas: gwei(50), maxPriorityFeePerGas: 0n });
  assert.deepEqual(raiseFees(fees ?? {}, priceOf(0, 3), gwei(50)), {
    maxFeePerGas: gwei(50),
    maxPriorityFeePerGas: gwei(3),
  });
  const raised = raiseFees(fees ?? {}, priceOf(0, 3), gwei(100));
  assert.ok(raised !== null && raised.maxFeePerGas > gwei(50) && raised.maxPriorityFeePerGas === gwei(3));
});

test("a transaction that offers what the network asks for is not raised", () => {
  const fees = { maxFeePerGas: gwei(43), maxPriorityFeePerGas: gwei(3) };
  assert.equal(raiseFees(fees, priceOf(20, 3), gwei(100)), null);
  assert.equal(raiseFees(fees, priceOf(40, 3), gwei(100)), null);
  assert.ok(raiseFees(fees, priceOf(41, 3), gwei(100)) !== null);
});

test("no fee is raised over the cap, or while the network asks for more than the cap", () => {
  const fees = { maxFeePerGas: gwei(50), maxPriorityFeePerGas: gwei(1) };
  assert.equal(raiseFees(fees, priceOf(60, 1), gwei(50)), null);
  assert.equal(raiseFees(fees, priceOf(10, 5), gwei(40)), null);
  assert.equal(
    raiseFees({ maxFeePerGas: gwei(50), maxPriorityFeePerGas: gwei(50) }, priceOf(1, 49), gwei(50)),
    null,
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { costTransfer, decideOutgoing } from "#lib/domain/withdrawals/follow/cost-rules.ts";
import type { CostObservation } from "#lib/domain/withdrawals/types.ts";

const HASH = `0x${"1".repeat(64)}`;
const block = { height: 90, hash: "0xb" };
const observed = (changes: Partial<CostObservation>): CostObservation => ({
  head: { height: 100, hash: "0xhead", finalizedHeight: 90 },
  finality: { kind: "finalized" },
  cost: { block, fee: 7n, spends: [] },
  isExpired: false,
  isExcluded: false,
  ...changes,
});

test("a transaction is settled by its final block alone, by a final one that excludes it, or by its expiry", () => {
  assert.deepEqual(decideOutgoing(observed({})), { kind: "final", block, fee: 7n });
  const early = { height: 91, hash: "0xc" };
  const inBlock = { block: early, fee: 7n, spends: [] };
  assert.deepEqual(decideOutgoing(observed({ cost: inBlock })), { kind: "open", block: early });
  const excluded = observed({ cost: inBlock, isExcluded: true });
  assert.deepEqual(
    decideOutgoing(excluded),
    { kind: "open", block: early },
    "the block can still be reverted",
  );
  const waiting = { block: null, fee: null, spends: [] };
  for (const cost of [waiting, null]) {
    assert.deepEqual(decideOutgoing(observed({ cost })), { kind: "open", block: null });
    assert.deepEqual(decideOutgoing(observed({ cost, isExcluded: true })), { kind: "replaced" });
    assert.deepEqual(decideOutgoing(observed({ cost, isExpired: true })), { kind: "expired" });
  }
});

test("a fee leaves custody, rent that came back enters it, and nothing moves nothing", () => {
  const row = { env: "test", network: "solana", hash: HASH } as const;
  const cause = `cost:test:solana:${HASH}`;
  const shared = { env: "test", token: "sol", amount: 5n, cause };
  assert.deepEqual(costTransfer(row, "sol", 5n), { ...shared, from: "costs:solana", to: "custody:solana" });
  assert.deepEqual(costTransfer(row, "sol", -5n), { ...shared, from: "custody:solana", to: "costs:solana" });
  assert.equal(costTransfer(row, "sol", 0n), null);
});

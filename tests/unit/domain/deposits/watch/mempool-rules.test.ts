import assert from "node:assert/strict";
import { test } from "node:test";
import type { TransferObservation } from "#lib/domain/deposits/types.ts";
import { type MempoolEntry, mergeMempools } from "#lib/domain/deposits/watch/mempool-rules.ts";

const AT = new Date("2026-03-01T12:00:00Z");
const after = (seconds: number) => new Date(AT.getTime() + seconds * 1_000);

const waiting = (txHash: string, spends: string[] = [], position = 0): TransferObservation => ({
  ...{ txHash, position, token: "btc" as const, addressId: 1, merchantId: 1, amount: 1n },
  ...{ sender: null, spends, unmatchedReason: null, block: null },
});

const hashes = (shown: ReadonlyMap<string, MempoolEntry>) => [...shown.keys()].sort();
const first = mergeMempools(
  new Map(),
  [waiting("x", ["a:0"]), waiting("x", ["a:0"], 1), waiting("y")],
  "A",
  AT,
);

test("what the same node shows no more is gone", () => {
  assert.deepEqual(hashes(first), ["x", "y"]);
  assert.equal(first.get("x")?.observations.length, 2);
  assert.deepEqual(hashes(mergeMempools(first, [waiting("y")], "A", after(1))), ["y"]);
});

test("what another node has not heard of yet is still waiting, for a minute", () => {
  const other = mergeMempools(first, [waiting("z")], "B", after(1));
  assert.deepEqual(hashes(other), ["x", "y", "z"]);
  assert.deepEqual(hashes(mergeMempools(other, [waiting("z")], "B", after(59))), ["x", "y", "z"]);
  assert.deepEqual(hashes(mergeMempools(other, [waiting("z")], "B", after(60))), ["z"]);
});

test("once the other node has shown it, that one's word counts", () => {
  const both = mergeMempools(first, [waiting("x", ["a:0"]), waiting("y")], "B", after(1));
  assert.deepEqual(hashes(mergeMempools(both, [waiting("y")], "B", after(2))), ["y"]);
});

test("what the other node shows replaced is gone at once", () => {
  assert.deepEqual(hashes(mergeMempools(first, [waiting("x2", ["b:7", "a:0"])], "B", after(1))), ["x2", "y"]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { estimateBlocksSince } from "#lib/domain/deposits/rules.ts";
import type { TransferObservation } from "#lib/domain/deposits/types.ts";
import {
  type MempoolEntry,
  mergeMempools,
  pauseAfterFailure,
  retryDelay,
} from "#lib/domain/deposits/watch/watch-rules.ts";

const AT = new Date("2026-03-01T12:00:00Z");
const after = (seconds: number) => new Date(AT.getTime() + seconds * 1_000);

const waiting = (txHash: string, spends: string[] = [], position = 0): TransferObservation => ({
  txHash,
  position,
  token: "btc",
  addressId: 1,
  merchantId: 1,
  amount: 1n,
  sender: null,
  spends,
  unmatchedReason: null,
  block: null,
});

const hashes = (entries: ReadonlyMap<string, MempoolEntry>) => [...entries.keys()].sort();
const first = mergeMempools(
  new Map(),
  [waiting("x", ["a:0"]), waiting("x", ["a:0"], 1), waiting("y")],
  "A",
  AT,
);

test("a transaction that the same node no longer shows is removed", () => {
  assert.deepEqual(hashes(first), ["x", "y"]);
  assert.equal(first.get("x")?.observations.length, 2);
  assert.deepEqual(hashes(mergeMempools(first, [waiting("y")], "A", after(1))), ["y"]);
});

test("a transaction that another node does not show yet is kept for a minute", () => {
  const other = mergeMempools(first, [waiting("z")], "B", after(1));
  assert.deepEqual(hashes(other), ["x", "y", "z"]);
  assert.deepEqual(hashes(mergeMempools(other, [waiting("z")], "B", after(59))), ["x", "y", "z"]);
  assert.deepEqual(hashes(mergeMempools(other, [waiting("z")], "B", after(60))), ["z"]);
});

test("a transaction is removed when the node that showed it last no longer does", () => {
  const both = mergeMempools(first, [waiting("x", ["a:0"]), waiting("y")], "B", after(1));
  assert.deepEqual(hashes(mergeMempools(both, [waiting("y")], "B", after(2))), ["y"]);
});

test("a transaction that another node shows as replaced is removed at once", () => {
  assert.deepEqual(hashes(mergeMempools(first, [waiting("x2", ["b:7", "a:0"])], "B", after(1))), ["x2", "y"]);
});

test("estimates more blocks than a chain can have produced, whatever the clocks say", () => {
  const now = new Date("2026-01-01T00:10:00Z");
  assert.equal(estimateBlocksSince(new Date("2026-01-01T00:00:00Z"), now, 600), 103);
  assert.equal(estimateBlocksSince(new Date("2026-01-01T00:00:00Z"), now, 0.45), 4_100);
  assert.equal(estimateBlocksSince(new Date("2026-01-01T00:20:00Z"), now, 3), 100);
});

test("the wait after failures doubles, has jitter, and is at most 30 seconds", () => {
  const wait = (failures: number, random: number) => retryDelay({ passing: false, failures }, 500, random);
  assert.equal(wait(1, 1), 1_000);
  assert.equal(wait(1, 0), 500);
  assert.equal(wait(3, 1), 4_000);
  assert.equal(wait(1_000, 1), 30_000);
});

test("the wait is at most 2 seconds while nodes restart, limit requests or catch up", () => {
  assert.equal(retryDelay({ passing: true, failures: 1_000 }, 3_000, 1), 2_000);
  const pause = (kind: string, everyMs = 3_000, isPassing = false) =>
    pauseAfterFailure({ kind, isPassing, failures: 1_000 }, { pollMs: 3_000, everyMs }, 1);
  for (const kind of ["unreachable", "rate_limited", "behind", "inconsistent"])
    assert.equal(pause(kind), 2_000, kind);
  for (const kind of ["refused", "malformed", "wrong_chain", "internal"])
    assert.equal(pause(kind), 30_000, kind);
  assert.equal(pause("malformed", 3_000, true), 2_000);
  // A chain that does not grow for hours is asked as often as one that does.
  assert.equal(pause("stale"), 3_000);
  assert.equal(pause("stale", 30_000), 30_000);
});

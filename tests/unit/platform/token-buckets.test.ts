import assert from "node:assert/strict";
import { test } from "node:test";
import { TokenBuckets } from "#lib/platform/token-buckets.ts";

/** A bucket of ten is full again after a second. */
function openBuckets() {
  const clock = { ms: 0 };
  return { clock, buckets: new TokenBuckets<number>({ capacity: 10, perSecond: 10 }, () => clock.ms) };
}

test("each key has its own tokens, at most the capacity, and may owe some", () => {
  const { clock, buckets } = openBuckets();
  assert.deepEqual([buckets.take(1, 4), buckets.take(1, 4), buckets.take(1, 4)], [6, 2, -2]);
  assert.deepEqual([buckets.left(1), buckets.left(2)], [-2, 10]);
  clock.ms = 500;
  assert.equal(buckets.left(1), 3);
  assert.equal(buckets.take(1, -20), 10);
});

test("many keys are looked through at most once a second, and only full buckets are forgotten", () => {
  const { clock, buckets } = openBuckets();
  for (let key = 0; key <= 10_000; key++) buckets.take(key, key === 7 ? 20 : 1);
  assert.equal(buckets.size, 10_001);
  clock.ms = 999;
  buckets.take(-1, 1);
  assert.equal(buckets.size, 10_002, "none of the full ones is looked for yet");
  clock.ms = 1_000;
  buckets.take(-2, 1);
  assert.deepEqual([buckets.size, buckets.left(7)], [3, 0], "the keys that are not full: 7, -1 and -2");
});

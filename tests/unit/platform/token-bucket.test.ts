import assert from "node:assert/strict";
import { test } from "node:test";
import { refillBucket } from "#lib/platform/token-bucket.ts";

const LIMITS = { capacity: 10, perSecond: 4 };

test("fills with time up to its capacity", () => {
  assert.deepEqual(refillBucket({ tokens: 1, filledAt: 0 }, LIMITS, 500), { tokens: 3, filledAt: 500 });
  assert.deepEqual(refillBucket({ tokens: 1, filledAt: 0 }, LIMITS, 60_000), {
    tokens: 10,
    filledAt: 60_000,
  });
  assert.deepEqual(refillBucket({ tokens: -4, filledAt: 0 }, LIMITS, 1_000), { tokens: 0, filledAt: 1_000 });
});

test("loses nothing when the clock goes back", () => {
  assert.deepEqual(refillBucket({ tokens: 5, filledAt: 100 }, LIMITS, 50), { tokens: 5, filledAt: 50 });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createRateLimiter } from "#lib/web/api/rate-limit.ts";

function limiter(perSecond: number, burst: number) {
  const clock = { ms: 0 };
  const limit = createRateLimiter({ perSecond, burst }, () => clock.ms);
  return { clock, limit };
}

test("allows a burst, refuses the next request, and refills over time", () => {
  const { clock, limit } = limiter(10, 3);
  assert.deepEqual(
    [1, 2, 3, 4].map(() => limit(7).allowed),
    [true, true, true, false],
  );
  clock.ms = 99;
  assert.equal(limit(7).allowed, false);
  clock.ms = 100;
  assert.equal(limit(7).allowed, true);
  assert.equal(limit(7).allowed, false);
  clock.ms = 60_000;
  assert.deepEqual(
    [1, 2, 3, 4].map(() => limit(7).allowed),
    [true, true, true, false],
  );
});

test("keys have separate limits", () => {
  const { limit } = limiter(1, 1);
  assert.equal(limit(1).allowed, true);
  assert.equal(limit(2).allowed, true);
  assert.equal(limit(1).allowed, false);
});

test("the headers have the policy, the remaining requests and the time to wait", () => {
  const { limit } = limiter(100, 200);
  assert.deepEqual(limit(1).headers, { "ratelimit-policy": '"key";q=200;w=2', ratelimit: '"key";r=199;t=1' });
  const slow = limiter(0.1, 1);
  slow.limit(1);
  slow.clock.ms = 500;
  assert.deepEqual(slow.limit(1), {
    allowed: false,
    headers: { "ratelimit-policy": '"key";q=1;w=10', ratelimit: '"key";r=0;t=10', "retry-after": "10" },
  });
});

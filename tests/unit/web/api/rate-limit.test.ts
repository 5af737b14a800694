import assert from "node:assert/strict";
import { test } from "node:test";
import { costOf, createRateLimiter, MAX_COST } from "#lib/web/api/rate-limit.ts";

function limiter(perSecond: number, burst: number) {
  const clock = { ms: 0 };
  const { admit } = createRateLimiter({ perSecond, burst }, () => clock.ms);
  const limit = (key: number) => admit(key);
  return { clock, admit, limit };
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
  const first = limit(1);
  assert.deepEqual(first.allowed && first.settle(1), {
    "ratelimit-policy": '"key";q=200;w=2',
    ratelimit: '"key";r=199;t=1',
  });
  const slow = limiter(0.1, 1);
  slow.limit(1);
  slow.clock.ms = 500;
  assert.deepEqual(slow.limit(1), {
    allowed: false,
    headers: { "ratelimit-policy": '"key";q=1;w=10', ratelimit: '"key";r=0;t=10', "retry-after": "10" },
  });
});

test("a list counts as the largest until its answer is known, then by its size", () => {
  const { clock, admit } = limiter(100, 200);
  const admitted = Array.from({ length: 50 }, () => admit(1, MAX_COST)).filter(({ allowed }) => allowed);
  assert.equal(admitted.length, 7, "not fifty lists of 1 MiB at once");
  for (const one of admitted) if (one.allowed) one.settle(1);
  assert.equal(Array.from({ length: 200 }, () => admit(1)).filter(({ allowed }) => allowed).length, 193);
  clock.ms = 60_000;
  for (let i = 0; i < 6; i++) {
    const one = admit(1, MAX_COST);
    if (one.allowed) one.settle(costOf("x".repeat(2 ** 20)));
  }
  assert.equal(Array.from({ length: 200 }, () => admit(1)).filter(({ allowed }) => allowed).length, 8);
});

test("an answer larger than what is left leaves a debt that delays the next request", () => {
  const { clock, admit } = limiter(10, 2);
  const one = admit(1, MAX_COST);
  assert.ok(one.allowed);
  one.settle(12);
  clock.ms = 1_000;
  assert.equal(admit(1).allowed, false);
  clock.ms = 1_100;
  assert.equal(admit(1).allowed, true);
});

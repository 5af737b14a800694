import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { type LaneLimits, openLanes } from "#lib/domain/delivery/lanes.ts";

const DONE = Promise.resolve();
const LIMITS: LaneLimits = { perLane: 4, total: 10, failing: 3 };

/**
 * Endpoints with this many due deliveries each; requests end when the test says so. `known`: the database knows them as failing.
 */
function bench(
  due: Record<number, number>,
  { limits = LIMITS, failing = new Set<number>(), known = new Set<number>(), storing = DONE, ahead = 0 } = {},
) {
  const open = new Map<number, (() => void)[]>();
  const errors: unknown[] = [];
  const most = { total: 0, claimed: 0 };
  const claims: number[] = [];
  const released: number[] = [];
  const under = (endpoint: number) => open.get(endpoint)?.length ?? 0;
  const total = () => [...open.values()].reduce((sum, all) => sum + all.length, 0);
  const clock = { ms: 0 };
  const lanes = openLanes<{ endpoint: number }>(
    limits,
    {
      async claim(endpoint, limit) {
        most.claimed = Math.max(most.claimed, limit);
        const fails = known.has(endpoint) || failing.has(endpoint);
        const wanted = fails ? 1 : limit;
        const n = Math.min(wanted, due[endpoint] ?? 0);
        due[endpoint] = (due[endpoint] ?? 0) - n;
        claims.push(n);
        await turn();
        return {
          claimed: Array.from({ length: n }, () => ({ endpoint })),
          failing: fails,
          more: n === wanted,
          mayClaimAhead: true,
        };
      },
      async deliver({ endpoint }) {
        const { promise, resolve } = Promise.withResolvers<void>();
        open.set(endpoint, [...(open.get(endpoint) ?? []), resolve]);
        most.total = Math.max(most.total, total());
        await promise;
        return { accepted: !failing.has(endpoint), stored: storing };
      },
      ahead: {
        limit: ahead,
        async release(given) {
          await turn();
          for (const { endpoint } of given) due[endpoint] = (due[endpoint] ?? 0) + 1;
          released.push(given.length);
        },
      },
      onError: (error) => errors.push(error),
    },
    () => clock.ms,
  );
  const settle = async () => {
    for (let i = 0; i < 50; i++) await turn();
  };
  const answer = (endpoint: number) => open.get(endpoint)?.shift()?.();
  /** Ends a request to the endpoint. */
  const end = async (endpoint: number) => {
    answer(endpoint);
    await settle();
  };
  return { lanes, under, total, answer, end, settle, most, errors, due, claims, released, clock };
}

test("an endpoint has at most its share in progress, and claims again when requests end", async () => {
  const { lanes, under, end, settle, most } = bench({ 1: 6 });
  lanes.wake(1);
  await settle();
  assert.equal(under(1), 4);
  await end(1);
  assert.equal(under(1), 4);
  await end(1);
  await end(1);
  assert.equal(under(1), 3);
  assert.equal(most.total, 4);
});

test("an endpoint that never answers delays no other", async () => {
  const { lanes, under, end, settle, due } = bench({ 1: 100, 2: 5 });
  lanes.wake(1);
  await settle();
  lanes.wake(2);
  await settle();
  assert.deepEqual([under(1), under(2)], [4, 4]);
  for (let i = 0; i < 5; i++) await end(2);
  assert.deepEqual([under(1), under(2), due[2]], [4, 0, 0]);
});

test("a failing endpoint gets one request at a time, and its full share once it works again", async () => {
  const failing = new Set([1]);
  const { lanes, under, end, settle } = bench({ 1: 20 }, { failing });
  lanes.wake(1);
  await settle();
  assert.equal(under(1), 1);
  await end(1);
  assert.equal(under(1), 1);
  failing.clear();
  await end(1);
  assert.equal(under(1), 4);
});

test("failing endpoints leave capacity for the others, and continue when one of their requests ends", async () => {
  const failing = new Set([1, 2, 3, 4, 5]);
  const { lanes, under, total, end, settle } = bench(
    { 1: 1, 2: 1, 3: 9, 4: 1, 5: 1, 6: 4, 7: 4 },
    { failing },
  );
  for (const id of [1, 2, 3]) lanes.wake(id);
  await settle();
  // Known as failing now.
  for (const id of [1, 2, 3]) assert.equal(under(id), 1);
  for (const id of [6, 7]) lanes.wake(id);
  await settle();
  assert.deepEqual([under(6), under(7)], [4, 3]);
  assert.equal(total(), 10);
  await end(6);
  assert.deepEqual([under(6), under(7)], [3, 4]);
});

test("never exceeds the total, and serves waiting endpoints later", async () => {
  const { lanes, under, total, end, settle, most } = bench({ 1: 4, 2: 4, 3: 4, 4: 1 });
  for (const id of [1, 2, 3, 4]) lanes.wake(id);
  await settle();
  assert.equal(total(), 10);
  for (let i = 0; i < 4; i++) await end(1);
  assert.equal(total(), 9);
  assert.equal(under(3) + under(4), 5);
  assert.equal(most.total, 10);
});

test("a slow endpoint with many deliveries lets waiting endpoints go first", async () => {
  const { lanes, under, total, end, settle } = bench({ 1: 100, 2: 100, 3: 100, 4: 2, 5: 1 });
  for (const id of [1, 2, 3]) lanes.wake(id);
  await settle();
  assert.deepEqual([under(1), under(2), under(3)], [4, 4, 2]);
  for (const id of [4, 5]) lanes.wake(id);
  await settle();
  // The third endpoint has capacity of its own, so it waits too, and came first.
  await end(1);
  assert.deepEqual([under(1), under(3), under(4), under(5)], [3, 3, 0, 0]);
  await end(1);
  await end(1);
  assert.deepEqual([under(1), under(4), under(5)], [1, 1, 1]);
  // Capacity rotates: no endpoint waits for long, and no capacity is unused.
  for (const id of [4, 5, 2, 2, 4]) await end(id);
  assert.deepEqual([under(4), under(5)], [0, 0]);
  assert.ok(under(1) >= 2, `${under(1)} of the first`);
  assert.equal(total(), 10);
});

test("an endpoint that waits for the failing share blocks no working endpoint", async () => {
  const failing = new Set([1, 2, 3, 4]);
  const { lanes, under, end, settle } = bench({ 1: 9, 2: 9, 3: 9, 4: 9, 5: 100 }, { failing });
  for (const id of [1, 2, 3, 4]) {
    lanes.wake(id);
    await settle();
  }
  // All are known as failing now, and the share is full without the fourth.
  await end(4);
  lanes.wake(5);
  await settle();
  for (let i = 0; i < 3; i++) await end(5);
  assert.deepEqual([1, 2, 3, 4, 5].map(under), [1, 1, 1, 0, 4]);
});

test("an endpoint that is woken during its claim claims once more", async () => {
  const { lanes, under, settle, due } = bench({ 1: 0 });
  lanes.wake(1);
  await turn();
  due[1] = 1;
  lanes.wake(1);
  await settle();
  assert.equal(under(1), 1);
});

test("a failed claim is reported, and the next notification of the endpoint claims again", async () => {
  const errors: unknown[] = [];
  let broken = true;
  let delivered = 0;
  const lanes = openLanes<number>(LIMITS, {
    claim: async () => {
      if (broken) throw new Error("no database");
      return { claimed: delivered === 0 ? [1] : [], failing: false, more: false };
    },
    deliver: async () => {
      delivered += 1;
      return { accepted: true, stored: Promise.resolve() };
    },
    onError: (error) => errors.push(error),
  });
  lanes.wake(1);
  await turn();
  assert.equal(errors.length, 1);
  broken = false;
  lanes.wake(1);
  await turn();
  assert.equal(delivered, 1);
});

test("stopping starts no more requests and waits for those in progress", async () => {
  const { lanes, under, end, settle } = bench({ 1: 10 });
  lanes.wake(1);
  await settle();
  let stopped = false;
  const stop = lanes.stop().then(() => {
    stopped = true;
  });
  lanes.wake(2);
  for (let left = 3; left >= 0; left--) {
    assert.equal(stopped, false);
    await end(1);
    assert.equal(under(1), left);
  }
  await stop;
});

test("an endpoint does not wait until results are stored, but they count in the total and for a stop", async () => {
  const { promise: storing, resolve: store } = Promise.withResolvers<void>();
  const { lanes, under, end, settle } = bench({ 1: 20 }, { storing });
  lanes.wake(1);
  await settle();
  for (let i = 0; i < 6; i++) await end(1);
  assert.equal(under(1), 4, "the total of 10 has 6 results");
  for (let i = 0; i < 4; i++) await end(1);
  assert.equal(under(1), 0);
  let stopped = false;
  const stop = lanes.stop().then(() => {
    stopped = true;
  });
  await settle();
  assert.equal(stopped, false);
  store();
  await stop;
});

test("results that are stored give their capacity to lanes that wait for it", async () => {
  const { promise: storing, resolve: store } = Promise.withResolvers<void>();
  const { lanes, under, end, settle } = bench({ 1: 10, 2: 1 }, { storing });
  lanes.wake(1);
  await settle();
  for (let i = 0; i < 10; i++) await end(1);
  lanes.wake(2);
  await settle();
  assert.equal(under(2), 0);
  store();
  await settle();
  assert.equal(under(2), 1);
  await end(2);
});

test("a result that cannot be stored is reported", async () => {
  const { promise: storing, reject } = Promise.withResolvers<void>();
  const { lanes, end, settle, errors } = bench({ 1: 1 }, { storing });
  lanes.wake(1);
  await settle();
  await end(1);
  reject(new Error("no database"));
  await lanes.stop();
  assert.equal(errors.length, 1);
});

test("stopping without requests in progress resolves at once", async () => {
  await bench({}).lanes.stop();
});

test("an endpoint that accepts has more claimed ahead, half of them or more at a time", async () => {
  const { lanes, under, end, settle, claims } = bench(
    { 1: 40 },
    { limits: { ...LIMITS, total: 200 }, ahead: 8 },
  );
  lanes.wake(1);
  await settle();
  assert.deepEqual(claims, [4], "nothing is known of it");
  await end(1);
  assert.deepEqual(claims, [4, 9]);
  for (let i = 0; i < 3; i++) await end(1);
  assert.deepEqual(claims, [4, 9]);
  await end(1);
  assert.deepEqual(claims, [4, 9, 4]);
  assert.equal(under(1), 4);
});

test("nothing is claimed ahead while other lanes work", async () => {
  const { lanes, end, settle, claims } = bench({ 1: 40, 2: 4 }, { ahead: 8 });
  lanes.wake(2);
  lanes.wake(1);
  await settle();
  await end(1);
  assert.deepEqual(claims, [4, 4, 1]);
});

test("what was claimed ahead of a failure is released, and claimed when the endpoint works again", async () => {
  const failing = new Set<number>();
  const { lanes, under, total, end, settle, due, released } = bench(
    { 1: 20 },
    { limits: { ...LIMITS, total: 200 }, failing, ahead: 8 },
  );
  lanes.wake(1);
  await settle();
  await end(1);
  assert.equal(due[1], 7);
  failing.add(1);
  await end(1);
  assert.deepEqual([released, due[1], under(1)], [[8], 15, 3]);
  for (let i = 0; i < 3; i++) await end(1);
  assert.deepEqual([due[1], under(1)], [14, 1]);
  failing.clear();
  await end(1);
  assert.equal(under(1), 4);
  while (total() > 0) await end(1);
  assert.equal(due[1], 0);
});

test("a claim that was asked before a failure starts nothing after it", async () => {
  const failing = new Set<number>();
  const { lanes, under, answer, end, settle, due, claims, released } = bench(
    { 1: 20 },
    { limits: { ...LIMITS, total: 200 }, failing, ahead: 8 },
  );
  lanes.wake(1);
  await settle();
  answer(1);
  while (claims.length < 2) await Promise.resolve();
  failing.add(1);
  await end(1);
  assert.deepEqual([claims, released, due[1], under(1)], [[4, 9], [9], 16, 2]);
  await end(1);
  await end(1);
  assert.deepEqual([due[1], under(1)], [15, 1]);
});

test("a claim that says that the endpoint fails releases what was claimed before it", async () => {
  const known = new Set<number>();
  const { lanes, under, end, settle, claims, released } = bench(
    { 1: 40 },
    { limits: { ...LIMITS, total: 200 }, known, ahead: 8 },
  );
  lanes.wake(1);
  await settle();
  for (let i = 0; i < 4; i++) await end(1);
  known.add(1);
  await end(1);
  assert.deepEqual([claims, released, under(1)], [[4, 9, 1], [4], 4]);
});

test("a stop releases what was claimed ahead", async () => {
  const { lanes, under, end, settle, due, released } = bench(
    { 1: 20 },
    { limits: { ...LIMITS, total: 200 }, ahead: 8 },
  );
  lanes.wake(1);
  await settle();
  await end(1);
  const stop = lanes.stop();
  for (let i = 0; i < 4; i++) await end(1);
  await stop;
  assert.deepEqual([released, due[1], under(1)], [[8], 15, 0]);
});

test("nothing is claimed ahead for an endpoint that is slow, and what waited long is released", async () => {
  const { lanes, under, end, settle, due, claims, released, clock } = bench(
    { 1: 40 },
    { limits: { ...LIMITS, total: 200 }, ahead: 8 },
  );
  lanes.wake(1);
  await settle();
  clock.ms += 100;
  for (let i = 0; i < 4; i++) await end(1);
  assert.deepEqual(claims, [4, 1, 1, 1, 1], "none was quick");
  clock.ms += 99;
  await end(1);
  assert.deepEqual(claims.slice(5), [9]);
  clock.ms += 1_001;
  await end(1);
  assert.deepEqual([released, due[1], under(1)], [[8], 30, 4]);
});

test("an error releases what was claimed ahead", async () => {
  const { promise: storing, reject } = Promise.withResolvers<void>();
  const { lanes, end, settle, released, errors } = bench(
    { 1: 20 },
    { limits: { ...LIMITS, total: 200 }, storing, ahead: 8 },
  );
  lanes.wake(1);
  await settle();
  await end(1);
  reject(new Error("no database"));
  await settle();
  assert.deepEqual([released, errors.length], [[8], 1]);
});

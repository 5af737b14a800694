import assert from "node:assert/strict";
import { test } from "node:test";
import { getDefaultCallRate } from "#lib/chains/node-client.ts";
import {
  accept,
  applyFailure,
  applyHeight,
  applySuccess,
  callsAtOnce,
  computeRetryPauseMs,
  isLagging,
  type NodeHealth,
  openBudget,
  openShare,
  orderNodes,
  slowDown,
  spend,
  spendShare,
  UNKNOWN_HEALTH,
} from "#lib/chains/node-rules.ts";

const NOW = 1_000_000;
const at = (height: number, since = NOW): NodeHealth => ({ ...UNKNOWN_HEALTH, height, heightSince: since });
const failed = (now: number, retryAfter: number | null = null) =>
  applyFailure(UNKNOWN_HEALTH, retryAfter, now, 0);

test("doubles the pause after failures up to a minute, minus a random part of up to a half", () => {
  assert.deepEqual(
    [1, 2, 3, 6, 7, 50].map((failures) => computeRetryPauseMs(failures, 0)),
    [1_000, 2_000, 4_000, 32_000, 60_000, 60_000],
  );
  assert.equal(computeRetryPauseMs(1, 0.999_999), 500);
});

test("waits for the whole Retry-After plus a random part, and never more than an hour", () => {
  assert.equal(failed(NOW, 30_000).limitedUntil, NOW + 30_000);
  assert.equal(applyFailure(UNKNOWN_HEALTH, 30_000, NOW, 0.5).limitedUntil, NOW + 31_500);
  assert.equal(failed(NOW, 1e12).limitedUntil, NOW + 3_600_000);
  assert.equal(failed(NOW, 0).limitedUntil, NOW + 1_000, "without a word of how long: as after any failure");
  assert.equal(failed(NOW).limitedUntil, 0, "other failures limit nothing");
  const often = applyFailure({ ...UNKNOWN_HEALTH, failures: 9 }, 0, NOW, 0);
  assert.equal(often.limitedUntil, NOW + 2_500, "the only node is asked again soon");
  assert.equal(often.retryAt, NOW + 60_000, "and where another node works, late");
});

test("uses a node again once it answers, but resets its failures only after completed work", () => {
  const answering = applyHeight(failed(NOW), 100, NOW + 5);
  assert.deepEqual([answering.broken, answering.failures], [false, 1]);
  assert.equal(applyFailure(answering, null, NOW, 0).retryAt, NOW + 2_000);
  assert.equal(applySuccess(answering).failures, 0);
});

test("tries nodes in their order without broken and rate-limited ones", () => {
  assert.deepEqual(orderNodes([UNKNOWN_HEALTH, UNKNOWN_HEALTH, UNKNOWN_HEALTH], 1, NOW), {
    ...{ usable: [0, 1, 2], lagging: [], broken: [] },
  });
  assert.deepEqual(orderNodes([failed(NOW), UNKNOWN_HEALTH, failed(NOW, 5_000)], 1, NOW), {
    ...{ usable: [1], lagging: [], broken: [] },
  });
});

test("tries a deprioritized node after the others until its time is over", () => {
  const aside = { ...UNKNOWN_HEALTH, deprioritizedUntil: NOW + 10 };
  assert.deepEqual(orderNodes([aside, UNKNOWN_HEALTH], 1, NOW).usable, [1, 0]);
  assert.deepEqual(orderNodes([aside, UNKNOWN_HEALTH], 1, NOW + 10).usable, [0, 1]);
});

test("tries a broken node last, once its pause is over", () => {
  const [early, late] = [failed(NOW - 900), failed(NOW - 500)];
  assert.deepEqual(orderNodes([late, early, UNKNOWN_HEALTH], 1, NOW).broken, []);
  assert.deepEqual(orderNodes([late, early, UNKNOWN_HEALTH], 1, NOW + 100).broken, [1]);
  assert.deepEqual(orderNodes([late, early, UNKNOWN_HEALTH], 1, NOW + 500).broken, [1, 0]);
});

test("tries the broken node whose pause ends first when all are broken, unless it is rate-limited", () => {
  const early = failed(NOW - 500);
  assert.deepEqual(orderNodes([failed(NOW), early], 1, NOW).broken, [1]);
  assert.deepEqual(orderNodes([failed(NOW - 700, 9_000), early], 1, NOW).broken, [1]);
  assert.deepEqual(orderNodes([failed(NOW, 9_000), failed(NOW, 9_000)], 1, NOW).broken, []);
});

test("treats a node as lagging when it is a minute of blocks lower, or does not move for too long", () => {
  assert.equal(isLagging(at(100), [at(100), at(219)], 0.5, NOW), false);
  assert.equal(isLagging(at(100), [at(100), at(220)], 0.5, NOW), true);
  assert.equal(isLagging(at(100), [at(102)], 600, NOW), false);
  assert.equal(isLagging(at(100), [at(103)], 600, NOW), true);
  assert.equal(isLagging(at(100, NOW - 20_001), [at(101)], 600, NOW), true);
  assert.equal(isLagging(at(100, NOW - 20_001), [at(100)], 600, NOW), false, "the chain may stand still");
});

test("ignores the height of a broken node when it looks for lagging nodes", () => {
  const liar = { ...at(1e9), broken: true };
  assert.deepEqual(orderNodes([at(100), liar], 1, NOW).usable, [0]);
});

test("never sends more calls in a second than the node allows", () => {
  for (const granted of [5, 25, 100]) {
    let budget = openBudget(granted, NOW);
    const sent: number[] = [];
    let now = NOW;
    for (let i = 0; i < 40; i++) {
      const calls = callsAtOnce(budget, now);
      const taken = spend(budget, calls, now);
      budget = taken.budget;
      now += taken.waitMs;
      for (let n = 0; n < calls; n++) sent.push(now);
    }
    for (const start of sent) {
      const within = sent.filter((time) => time >= start && time < start + 1_000).length;
      assert.ok(within <= granted, `${within} of ${granted}`);
    }
    const seconds = (now - NOW) / 1_000;
    assert.ok(sent.length / seconds >= granted * 0.75, "and most of what is granted is used");
  }
});

test("does not limit calls until the node reports a limit, and is back at the full rate within seconds", () => {
  const unlimited = openBudget(Number.POSITIVE_INFINITY, NOW);
  assert.equal(spend(unlimited, 1e6, NOW).waitMs, 0);
  const slowed = slowDown(unlimited, NOW);
  assert.equal(callsAtOnce(slowed, NOW), 5);
  assert.equal(callsAtOnce(slowed, NOW + 1_999), 5);
  assert.equal(callsAtOnce(slowed, NOW + 2_000), 10);
  assert.equal(spend(slowed, 1e6, NOW + 10_000).waitMs, 0);
  assert.equal(callsAtOnce(slowDown(openBudget(20, NOW), NOW), NOW + 2_000), 4);
});

test("halves the rate once in a spell of refusals, and slower where the node means it", () => {
  let budget = openBudget(100, NOW);
  for (let ms = 0; ms <= 20_000; ms += 100) budget = slowDown(budget, NOW + ms);
  assert.equal(callsAtOnce(budget, NOW), 10, "a spell in which nothing is taken halves it once");
  assert.equal(callsAtOnce(budget, NOW + 20_000), 20);
  budget = slowDown(accept(slowDown(accept(budget), NOW + 21_000)), NOW + 21_500);
  assert.equal(callsAtOnce(budget, NOW + 21_500), 10, "and one window of mixed answers too");
  budget = slowDown(accept(budget), NOW + 25_000);
  assert.equal(callsAtOnce(budget, NOW + 28_999), 10, "the next doubling waits longer after every report");
});

test("20 s of refusals blind a node for at most 40 s, and 5 s for at most 10 s", () => {
  for (const spell of [3_000, 5_000, 20_000]) {
    for (const random of [0, 0.5, 0.999]) {
      let health = UNKNOWN_HEALTH;
      let now = 0;
      // The watcher tries as soon as the node may be asked, at most 2 s late.
      while (now < spell) {
        health = applyFailure(health, 0, now, random);
        now = Math.max(health.limitedUntil, now + 2_000);
      }
      assert.ok(now <= 2 * spell, `${spell} ms: used again after ${now} ms`);
    }
  }
});

test("does not limit calls to private nodes, and limits calls to hosted nodes", () => {
  for (const own of [
    "http://localhost:8545",
    "http://127.0.0.1",
    "http://10.1.2.3:8545/x",
    "http://172.20.0.4",
    "http://192.168.1.1",
    "http://[::1]:8545",
    "http://[fd00::1]",
    "http://geth:8545",
    "http://node.internal",
  ]) {
    assert.equal(getDefaultCallRate(own), Number.POSITIVE_INFINITY, own);
  }
  for (const hosted of ["https://bsc.example.com/key", "http://8.8.8.8", "http://172.32.0.1"]) {
    assert.equal(getDefaultCallRate(hosted), 25, hosted);
  }
});

test("gives a share its part of the rate, without reserving calls of the rest", () => {
  let budget = openBudget(20, NOW);
  let bucket = openShare(NOW);
  let sharedAt = NOW;
  for (let call = 0; call < 30; call++) {
    const taken = spendShare({ bucket, share: 0.25 }, budget, 1, sharedAt);
    bucket = taken.bucket;
    sharedAt += taken.waitMs;
  }
  assert.ok(sharedAt - NOW >= 6_000, `30 calls at a quarter of 20 a second took ${sharedAt - NOW} ms`);
  assert.ok(sharedAt - NOW <= 8_000, "and it uses most of its part");
  assert.equal(spend(budget, 4, NOW).waitMs, 0, "calls that wait for their share take nothing");
  budget = openBudget(Number.POSITIVE_INFINITY, NOW);
  assert.equal(spendShare({ bucket, share: 0.25 }, budget, 1e6, NOW).waitMs, 0);
  assert.equal(callsAtOnce(openBudget(100, NOW), NOW, 0.25), 5);
});

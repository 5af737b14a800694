import assert from "node:assert/strict";
import { test } from "node:test";
import { createWakeableWait } from "#lib/domain/deposits/watch/wakeable-wait.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";

function open() {
  const clock = openManualClock();
  const stopping = new AbortController();
  return { clock, stopping, wait: createWakeableWait(stopping.signal, clock) };
}

test("waits its time, and activity ends it early", async () => {
  const { clock, wait } = open();
  const whole = wait.untilActivity(1_000);
  assert.deepEqual(clock.sleeping(), [1_000]);
  await clock.advance(1_000);
  assert.equal(await whole, false);
  const cut = wait.untilActivity(1_000);
  wait.wake();
  assert.equal(await cut, true);
  assert.deepEqual(clock.sleeping(), []);
});

test("activity during a round skips one wait, however often it came", async () => {
  const { clock, wait } = open();
  wait.wake();
  wait.wake();
  assert.equal(await wait.untilActivity(1_000), true);
  const next = wait.untilActivity(1_000);
  await clock.advance(999);
  assert.deepEqual(clock.sleeping(), [1]);
  await clock.advance(1);
  assert.equal(await next, false);
});

test("activity in the turn in which the time is over is not lost", async () => {
  const { clock, wait } = open();
  const over = wait.untilActivity(1_000);
  const moved = clock.advance(1_000);
  void over.then(wait.wake);
  await moved;
  assert.equal(await over, false);
  assert.equal(await wait.untilActivity(1_000), true);
});

test("a stop ends it", async () => {
  const { stopping, wait } = open();
  const waiting = wait.untilActivity(1_000);
  stopping.abort();
  assert.equal(await waiting, true);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { repeat } from "#lib/platform/repeat.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";

const log = pino({ level: "silent" });

test("the pause begins when the last run has ended, also after a failure", async (t) => {
  const clock = openManualClock();
  const begun = clock.now().getTime();
  const runs: number[] = [];
  const task = repeat("pausing", 1_000, { log, ...clock }, async () => {
    runs.push(clock.now().getTime() - begun);
    if (runs.length === 1) throw new Error("failed");
    await clock.sleep(500);
  });
  t.after(() => task.stop());
  await clock.advance(4_000);
  assert.deepEqual(runs, [0, 1_000, 2_500, 4_000]);
  await clock.advance(500);
});

test("a stop waits for the run, aborts it, and prevents the next one", async () => {
  const clock = openManualClock();
  const ended = Promise.withResolvers<void>();
  let runs = 0;
  let aborted = false;
  const task = repeat("stopping", 1_000, { log, ...clock }, async (stopping) => {
    runs += 1;
    await ended.promise;
    aborted = stopping.aborted;
  });
  const stopped = task.stop();
  ended.resolve();
  await stopped;
  await clock.advance(10_000);
  assert.deepEqual({ runs, aborted, sleeping: clock.sleeping() }, { runs: 1, aborted: true, sleeping: [] });
  let later = 0;
  const idle = repeat("idle", 1_000, { log, ...clock }, async () => void later++);
  await clock.untilAsleep();
  await idle.stop();
  await clock.advance(10_000);
  assert.equal(later, 1);
});

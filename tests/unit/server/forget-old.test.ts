import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { type ForgetJob, forgetOld } from "#lib/server/forget-old.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";

/** A log that keeps its lines. */
function openLog() {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { base: null, timestamp: false },
    { write: (line: string) => lines.push(JSON.parse(line)) },
  );
  return { log, lines };
}

/** A job that has more rows than it may delete. */
const endless: ForgetJob = (_, until) =>
  new Promise((resolve) => until.addEventListener("abort", () => resolve(false), { once: true }));

test("a task that does not finish in its time leaves the others theirs, and says so", async () => {
  const { log, lines } = openLog();
  const done: string[] = [];
  const short: ForgetJob = async () => {
    done.push("short");
    return true;
  };
  const clock = openManualClock();
  const stopping = new AbortController().signal;
  const ended = forgetOld("forgetting", [endless, short], { log, stopping, ...clock });
  await clock.advance(119_000);
  assert.deepEqual([done, lines], [[], []]);
  await clock.advance(1_000);
  await ended;
  assert.deepEqual(done, ["short"]);
  assert.deepEqual(lines, [{ level: 40, task: "forgetting", msg: "more old rows than one run deletes" }]);
});

test("a worker that stops ends the task at once, and nothing is logged", async () => {
  const { log, lines } = openLog();
  const stop = new AbortController();
  const ended = forgetOld("forgetting", [endless], { log, stopping: stop.signal, ...openManualClock() });
  stop.abort();
  await ended;
  assert.deepEqual(lines, []);
});

/** The limits of a stop, with a clock that the test moves. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { openLog } from "#lib/platform/log/open-log.ts";
import { stopOnSignal } from "#lib/server/stop-on-signal.ts";

const NOTICE_MS = 3_000;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** A process whose stop is `stop`, and the codes with which it would have ended. Its SIGTERM is a call: the test's own runner listens too. */
function open(t: TestContext, stop: (timeIsUp: AbortSignal) => Promise<void>) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const exit = t.mock.method(process, "exit", (() => {}) as unknown as typeof process.exit);
  const before = SIGNALS.map((signal) => process.listeners(signal));
  const disconnects = process.listeners("disconnect");
  const ending = stopOnSignal();
  const added = SIGNALS.flatMap((signal, i) =>
    process.listeners(signal).filter((one) => !before[i]?.includes(one)),
  );
  t.after(() => {
    for (const signal of SIGNALS) for (const one of added) process.off(signal, one);
    for (const one of process.listeners("disconnect"))
      if (!disconnects.includes(one)) process.off("disconnect", one);
  });
  const lines: string[] = [];
  const log = openLog("info", { write: (line: string) => lines.push(JSON.parse(line).msg) });
  ending.arm({ noticeMs: NOTICE_MS, stop }, log);
  return {
    lines,
    terminate: () => added[1]?.("SIGTERM"),
    pass: (ms: number) => t.mock.timers.tick(ms),
    exits: () => exit.mock.calls.map((call) => call.arguments[0]),
  };
}

test("work is aborted after eight seconds, and what hangs ends with the process two seconds later", async (t) => {
  let isAborted = false;
  const { terminate, pass, exits, lines } = open(t, (timeIsUp) => {
    timeIsUp.addEventListener("abort", () => {
      isAborted = true;
    });
    return new Promise(() => {});
  });
  terminate();
  pass(NOTICE_MS + 7_999);
  assert.equal(isAborted, false);
  pass(1);
  assert.equal(isAborted, true);
  pass(1_999);
  assert.deepEqual(lines, ["stopping"]);
  pass(1);
  assert.deepEqual(lines, ["stopping", "stopping took too long: ending at once"]);
  pass(1_000);
  assert.deepEqual(exits(), [1]);
});

test("after a machine stood still past both limits, the aborted work is still released", async (t) => {
  const released = Promise.withResolvers<void>();
  const { terminate, pass, exits, lines } = open(t, async (timeIsUp) => {
    await once(timeIsUp, "abort");
    // A release asks the database, so it needs turns of the event loop.
    await stat(import.meta.filename);
    released.resolve();
  });
  terminate();
  pass(NOTICE_MS + 60_000);
  await released.promise;
  await nextTurn();
  pass(1_000);
  assert.deepEqual(exits(), [0]);
  assert.deepEqual(lines, ["stopping"]);
});

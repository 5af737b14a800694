import assert from "node:assert/strict";
import { test } from "node:test";
import {
  blocksOf,
  createPassMemory,
  isCountDue,
  isProgressDue,
  nextStep,
  type PassEnd,
  type Reading,
} from "#lib/domain/deposits/watch/pass-rules.ts";

const AT = new Date("2026-03-01T12:00:00Z");
const after = (seconds: number) => new Date(AT.getTime() + seconds * 1_000);
const MOST = 100;

/** The steps after these ends, one after another, from a new memory. */
function follow(ends: readonly PassEnd[]) {
  let { reading } = createPassMemory();
  return ends.map((end) => {
    const step = nextStep(reading, end, { most: MOST, now: AT });
    reading = step.reading;
    return [step.action, blocksOf(reading.scan, MOST)] as const;
  });
}

test("scans have half as many blocks after each failure, one at least, and twice as many after a pass", () => {
  const failures = follow(Array<PassEnd>(8).fill("failed"));
  assert.deepEqual(
    failures.map(([, blocks]) => blocks),
    [50, 25, 12, 6, 3, 1, 1, 1],
  );
  assert.ok(failures.every(([action]) => action === "fail"));
  assert.deepEqual(follow(["failed", "failed", "recorded", "recorded", "recorded"]).slice(2), [
    ["end", 50],
    ["end", 100],
    ["end", 100],
  ]);
});

test("reads again with fewer blocks until the unreadable one is alone, then fails", () => {
  const steps = follow(Array<PassEnd>(7).fill("unreadable"));
  assert.deepEqual(
    steps.map(([action]) => action),
    [...Array(6).fill("read_again"), "fail"],
  );
});

test("blocks that no node traces are read at once without traces, as many as before", () => {
  assert.deepEqual(follow(["failed", "untraced"])[1], ["read_without_traces", 50]);
});

test("a stale head fails the pass, and changes no scan", () => {
  assert.deepEqual(follow(["stale"]), [["fail", MOST]]);
});

test("all nodes may be below what was read for half a minute, counted from the first pass that saw it", () => {
  const below = (reading: Reading, seconds: number) =>
    nextStep(reading, "below", { most: MOST, now: after(seconds) });
  const first = below(createPassMemory().reading, 0);
  assert.deepEqual([first.action, first.reading.nodes], ["report_below", { kind: "below", since: AT }]);
  const second = below(first.reading, 29);
  assert.deepEqual([second.action, second.reading], ["report_below", first.reading]);
  assert.equal(below(second.reading, 30).action, "fail");
  for (const end of ["recorded", "failed", "stale"] as const) {
    const { reading } = nextStep(second.reading, end, { most: MOST, now: after(29) });
    assert.deepEqual(reading.nodes, { kind: "usable" }, end);
    assert.equal(below(reading, 30).action, "report_below");
  }
});

test("progress is written once in a second, and always after an error or when something changed", () => {
  assert.ok(isProgressDue({ kind: "failed" }, AT));
  assert.ok(isProgressDue({ kind: "due" }, AT));
  assert.ok(!isProgressDue({ kind: "written", at: AT.getTime() }, after(0.999)));
  assert.ok(isProgressDue({ kind: "written", at: AT.getTime() }, after(1)));
});

test("confirmations are counted at each new block or finalized height, and after a minute without one", () => {
  const counted = { kind: "counted", tip: "b1 7", at: AT.getTime() } as const;
  assert.ok(isCountDue({ kind: "due" }, "b1 7", AT));
  assert.ok(isCountDue(counted, "b2 7", after(1)));
  assert.ok(isCountDue(counted, "b1 8", after(1)));
  assert.ok(!isCountDue(counted, "b1 7", after(59)));
  assert.ok(isCountDue(counted, "b1 7", after(60)));
});

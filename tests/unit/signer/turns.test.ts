import assert from "node:assert/strict";
import { test } from "node:test";
import { openTurns } from "#lib/signer/turns.ts";

/** Lets steps of this length ask about withdrawals, the oldest first. Returns how often each was asked about. */
function ask(
  { count, stepMs, steps }: Readonly<Record<"count" | "stepMs" | "steps", number>>,
  fails = false,
) {
  let now = 0;
  const turnsOf = openTurns(() => new Date(now));
  const asked = new Map<string, number>();
  for (let step = 0; step < steps; step++) {
    const turns = turnsOf();
    const due = Array.from({ length: count }, (_, n) => String(n)).filter((refid) => turns.isDue(refid));
    // A question that fails ends the step.
    const isOver = !due.every((refid, at) => {
      if ((fails && at > 0) || !turns.take([refid])) return false;
      asked.set(refid, (asked.get(refid) ?? 0) + 1);
      return true;
    });
    if (!isOver) turns.end();
    now += stepMs;
  }
  return asked;
}

test("each withdrawal has its turn, however slow the steps are and however many come before it", () => {
  for (const stepMs of [1_000, 10_000]) {
    const asked = ask({ count: 500, stepMs, steps: 16 });
    assert.deepEqual(
      [asked.size, ...new Set(asked.values())],
      [500, 1],
      "none has a second turn before that",
    );
  }
});

test("withdrawals whose questions fail do not keep the others from theirs", () => {
  assert.equal(ask({ count: 40, stepMs: 2_000, steps: 40 }, true).size, 40);
});

test("nodes are asked about the same withdrawal every 30 seconds", () => {
  assert.deepEqual([...ask({ count: 1, stepMs: 10_000, steps: 7 })], [["0", 3]]);
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PLANTS } from "./plants.ts";
import { describeFailure, repeatHistory, simulate } from "./simulation.ts";

/** Every run repeats the same histories. The long run (tests/long) and the command search new ones. */
const SEED = 1;
const HISTORIES = 50;
/** What these histories must contain, so that they can fail. */
const REACHED = [
  ...["crash", "crash_after", "lose", "lose_answer", "waits for a lock"],
  ...["deposit_credited", "deposit_reversed", "payment_link_completed", "payment_link_failed"],
  ...["link partial", "link overpaid", "withdrawal_completed"],
];

test("keeps every rule in histories with crashes, lost connections and reorganizations", async (t) => {
  const { failure, perMinute, reached } = await simulate({ seed: SEED, histories: HISTORIES });
  t.diagnostic(`${HISTORIES} histories, ${perMinute} a minute`);
  assert.equal(failure, null, failure === null ? "" : describeFailure(failure));
  assert.deepEqual(
    REACHED.filter((what) => !reached.has(what)),
    [],
  );
});

test("repeats a history from its seed", async () => {
  for (const seed of [2, 3, 5]) {
    const [one, other] = await repeatHistory(seed);
    assert.ok(one.steps.length > 0);
    assert.deepEqual(one.steps, other.steps);
    assert.equal(one.hash, other.hash);
  }
});

for (const [name, { file, text }] of Object.entries(PLANTS)) {
  test(`can still be planted: ${name}`, () => {
    const source = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
    assert.equal(source.split(text).length, 2);
  });
}

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PLANTS } from "./plants.ts";
import { describeFailure, repeatHistory, simulate } from "./simulation.ts";

/** Every run repeats the same histories. The long run (tests/long) and the command search new ones. */
const FIRST_SEEDS = [301, 601];
const HISTORIES = 25;
const ELECTRUM_HISTORIES = 10;
/** The events that these histories must contain, so that they can fail. */
const REACHED = [
  ...["crash", "crash_after", "lose", "lose_answer", "waits for a lock"],
  ...["deposit_credited", "deposit_reversed", "payment_link_completed", "payment_link_failed"],
  ...["link partial", "link overpaid", "withdrawal_completed"],
];

const reached = new Set<string>();

for (const seed of FIRST_SEEDS) {
  test(`keeps every rule in ${HISTORIES} histories from seed ${seed}`, async (t) => {
    const result = await simulate({ seed, histories: HISTORIES });
    const { failure, perMinute } = result;
    t.diagnostic(`${perMinute} histories a minute`);
    assert.equal(failure, null, failure === null ? "" : describeFailure(failure));
    for (const what of result.reached.keys()) reached.add(what);
  });
}

test(`credits every payment once in ${ELECTRUM_HISTORIES} histories that Electrum servers tell`, async (t) => {
  const { failure, perMinute } = await simulate({ seed: 1, histories: ELECTRUM_HISTORIES, only: "electrum" });
  t.diagnostic(`${perMinute} histories a minute`);
  assert.equal(failure, null, failure === null ? "" : describeFailure(failure, "electrum"));
});

test("reaches every fault and the ends of links and withdrawals", () => {
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

for (const [name, { changes }] of Object.entries(PLANTS)) {
  test(`can still be planted: ${name}`, () => {
    for (const { file, text } of changes) {
      const source = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
      assert.equal(source.split(text).length, 2, file);
    }
  });
}

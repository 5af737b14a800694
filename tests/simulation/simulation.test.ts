import assert from "node:assert/strict";
import { test } from "node:test";
import { describeFailure, repeatHistory, simulate } from "./simulation.ts";

/** A run of `npm test` repeats the same histories. The long run and the command search new ones. */
const SEED = 1;

test("keeps every rule in histories with crashes, lost connections, reorganizations and nodes that fail", async (t) => {
  const { failure, histories, perMinute } = await simulate({
    seed: SEED,
    histories: 100_000,
    atMostMs: 4_000,
  });
  t.diagnostic(`${histories} histories, ${perMinute} a minute`);
  assert.equal(failure, null, failure === null ? "" : describeFailure(failure));
});

test("repeats a history from its seed", async () => {
  for (const seed of [2, 3, 5]) {
    const [one, other] = await repeatHistory(seed);
    assert.ok(one.steps.length > 0);
    assert.deepEqual(one.steps, other.steps);
    assert.equal(one.hash, other.hash);
  }
});

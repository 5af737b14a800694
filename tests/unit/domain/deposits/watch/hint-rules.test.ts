import assert from "node:assert/strict";
import { test } from "node:test";
import { createHintBudget, spendHint } from "#lib/domain/deposits/watch/hint-rules.ts";

const DAY = 24 * 3_600_000;

test("a flood of hints costs a bounded number of passes a day", () => {
  let budget = createHintBudget(0);
  let passes = 0;
  for (let now = 0; now < DAY; now += 100) {
    const next = spendHint(budget, now);
    if (next === null) continue;
    budget = next;
    passes += 1;
  }
  assert.ok(passes >= 1_440 && passes <= 1_460, String(passes));
});

test("a clock that is set back earns nothing", () => {
  let budget = createHintBudget(DAY);
  for (let i = 0; i < 20; i++) budget = spendHint(budget, DAY)!;
  assert.equal(spendHint(budget, 0), null);
});

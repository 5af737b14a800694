/**
 * How many hints of a network may still cause a pass. Anyone with a link can hint, and a pass costs calls of the node's plan.
 * `at` in milliseconds.
 */
export interface HintBudget {
  readonly left: number;
  readonly at: number;
}

/** Hints at once, and how soon one more is allowed: at most 1,440 a day in the long run. */
const MOST_HINTS = 20;
const HINT_EVERY_MS = 60_000;

export function createHintBudget(now: number): HintBudget {
  return { left: MOST_HINTS, at: now };
}

/** The budget after one more hint. Null: it is spent, and the hint is ignored. */
export function spendHint({ left, at }: HintBudget, now: number): HintBudget | null {
  const earned = Math.min(MOST_HINTS, left + Math.max(0, now - at) / HINT_EVERY_MS);
  return earned < 1 ? null : { left: earned - 1, at: now };
}

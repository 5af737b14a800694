import { ATTEMPT_CATEGORIES, type AttemptCategory } from "./types.ts";

const counted = new Map<AttemptCategory, number>(ATTEMPT_CATEGORIES.map((outcome) => [outcome, 0]));

export function countAttempt(outcome: AttemptCategory): void {
  counted.set(outcome, (counted.get(outcome) ?? 0) + 1);
}

/** Attempts of this process since it started, by what came of them. */
export function attemptMetrics(): ReadonlyMap<AttemptCategory, number> {
  return counted;
}

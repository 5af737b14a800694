import { OUTCOMES, type Outcome } from "./types.ts";

const counted = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]));

export function countAttempt(outcome: Outcome): void {
  counted.set(outcome, (counted.get(outcome) ?? 0) + 1);
}

/** Attempts of this process since it started, by what came of them. */
export function attemptMetrics(): ReadonlyMap<Outcome, number> {
  return counted;
}

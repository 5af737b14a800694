const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pause before each attempt, measured from the attempt before it. */
const PAUSES = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** An attempt is up to a tenth later than scheduled, never earlier. */
const JITTER = 0.1;
/** Margin of a claim beyond the longest attempt: time to store the result. */
const CLAIM_MARGIN_MS = 10 * SECOND;

/**
 * The time of the next attempt after `attempts` attempts, or null after the last one. `random` is in [0, 1).
 */
export function nextAttemptAt(attempts: number, now: Date, random: number): Date | null {
  const pause = PAUSES[attempts];
  return pause === undefined ? null : new Date(now.getTime() + Math.round(pause * (1 + JITTER * random)));
}

/** When a claim of a delivery expires whose attempt may take `timeoutMs`: another worker may then claim it. */
export function claimEnd(now: Date, timeoutMs: number): Date {
  return new Date(now.getTime() + timeoutMs + CLAIM_MARGIN_MS);
}

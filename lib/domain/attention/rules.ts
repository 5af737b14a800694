import type { AttentionKind } from "./types.ts";

const MINUTE_MS = 60_000;
const LONGEST_MS = 60 * MINUTE_MS;

/** Names what is set aside: "link:{refid}", "deposit:{id}". */
export function attentionSubject(kind: AttentionKind, id: string | number): string {
  return `${kind}:${id}`;
}

/** When a unit is tried again after `attempts` failures: after 1, 2, 4, … minutes, at most an hour or `longestMs`. */
export function nextRetry(attempts: number, now: Date, longestMs = LONGEST_MS): Date {
  const delay = Math.min(MINUTE_MS * 2 ** Math.min(attempts - 1, 10), longestMs);
  return new Date(now.getTime() + delay);
}

/**
 * SQLSTATE classes of a fault in the rows that were written: data exceptions, integrity constraints, program limits and
 * errors that our triggers raise. All others (connection, resources, shutdown, deadlock, timeout, a missing table or
 * privilege) hit every row alike.
 */
const FAULT_IN_ROWS = /^(?:22|23|54|P0)/;

/**
 * True if the error comes from the unit that was processed, so that others can continue without it: PostgreSQL rejected
 * its values, or the program threw. `causes`: the error and its causes (listCauses). The caller excludes outages.
 */
export function isFaultOfUnit(causes: readonly Error[]): boolean {
  // Only errors of PostgreSQL have a severity.
  const failure = causes.find((cause) => "severity" in cause);
  if (failure === undefined) return true;
  return "code" in failure && FAULT_IN_ROWS.test(String(failure.code));
}

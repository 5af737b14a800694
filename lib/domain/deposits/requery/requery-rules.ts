import type { DepositStatus } from "#lib/domain/types.ts";

/** The recorded status and block of one deposit of a transaction. */
export interface RequeryOutcome {
  readonly status: DepositStatus;
  readonly blockHash: string | null;
}

/**
 * Summarizes a merchant's deposits of one transaction.
 * - waiting: at least one waits for confirmations.
 * - credited: none waits, and at least one is credited.
 * - held: all that remain are held as unmatched.
 * - none: no deposit, or only dropped ones.
 */
export function summarizeOutcomes(
  outcomes: readonly RequeryOutcome[],
): "waiting" | "credited" | "held" | "none" {
  const has = (status: DepositStatus) => outcomes.some((outcome) => outcome.status === status);
  if (has("seen")) return "waiting";
  if (has("credited")) return "credited";
  return has("held") ? "held" : "none";
}

/**
 * Returns whether the block is fully recorded, so that reading it again would add nothing. The held deposits may be a
 * part: small unmatched transfers can be left out (leaveOutSmall).
 */
export function isRecorded(outcomes: readonly RequeryOutcome[], blockHash: string): boolean {
  const summary = summarizeOutcomes(outcomes);
  const waiting = outcomes.filter(({ status }) => status === "seen");
  return (
    (summary === "waiting" || summary === "credited") &&
    waiting.every((outcome) => outcome.blockHash === blockHash)
  );
}

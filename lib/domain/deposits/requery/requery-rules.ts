import type { DepositStatus } from "../types.ts";

/** A deposit of a transaction as it is recorded. */
export interface RequeryOutcome {
  readonly status: DepositStatus;
  readonly blockHash: string | null;
}

/**
 * Where a merchant's deposits of one transaction stand together: something waits, all that counts is credited, there is
 * only what nothing may credit by itself, or nothing.
 */
export function summarizeOutcomes(
  outcomes: readonly RequeryOutcome[],
): "waiting" | "credited" | "held" | "none" {
  const has = (status: DepositStatus) => outcomes.some((outcome) => outcome.status === status);
  if (has(0)) return "waiting";
  if (has(1)) return "credited";
  return has(3) ? "held" : "none";
}

/** Is there nothing that another look at the transaction's block could add? */
export function isRecorded(outcomes: readonly RequeryOutcome[], blockHash: string): boolean {
  const waiting = outcomes.filter(({ status }) => status === 0);
  return (
    summarizeOutcomes(outcomes) !== "none" && waiting.every((outcome) => outcome.blockHash === blockHash)
  );
}

import type { DepositStatus } from "#lib/domain/types.ts";

/** The recorded status and block of deposits of a transaction. */
export interface RequeryOutcome {
  readonly status: DepositStatus;
  readonly blockHash: string | null;
  /** How many deposits have them. */
  readonly count: number;
}

/**
 * Summarizes a merchant's deposits of one transaction.
 * - waiting: at least one waits for confirmations.
 * - credited: none waits, and at least one is credited.
 * - held: all that remain are held as unmatched.
 * - none: no deposit, or only dropped ones.
 */
export function summarizeOutcomes(
  outcomes: readonly Pick<RequeryOutcome, "status">[],
): "waiting" | "credited" | "held" | "none" {
  const has = (status: DepositStatus) => outcomes.some((outcome) => outcome.status === status);
  if (has("seen")) return "waiting";
  if (has("credited")) return "credited";
  return has("held") ? "held" : "none";
}

/** Returns whether more of the transaction is recorded than before. */
export function hasMore(before: readonly RequeryOutcome[], after: readonly RequeryOutcome[]): boolean {
  const size = (outcomes: readonly RequeryOutcome[]) =>
    outcomes.reduce((sum, { status, count }) => sum + (status === "dropped" ? 0 : count), 0);
  return size(after) > size(before);
}

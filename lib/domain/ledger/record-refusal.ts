import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { insertRefusedAttempt } from "./history-store.ts";
import type { RefusedAttempt } from "./types.ts";

/**
 * Keeps an attempt that a rule refused: what history shows with status 0, the newest 1,000 of each merchant and
 * environment. Not in the transaction of the attempt itself, which a refusal rolls back.
 */
export function recordRefusedAttempt(db: Db | Tx, attempt: RefusedAttempt, now: Date): Promise<void> {
  return insertRefusedAttempt(db, attempt, now);
}

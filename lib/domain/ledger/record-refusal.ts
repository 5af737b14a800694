import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { insertRefusal } from "./history-store.ts";
import type { RefusedAttempt } from "./types.ts";

/**
 * Keeps an attempt that a rule refused: what history shows with status 0, the newest 1,000 of each merchant and
 * environment. Not in the transaction of the attempt itself, which a refusal rolls back.
 */
export function recordRefusal(db: Db | Tx, attempt: RefusedAttempt, now: Date): Promise<void> {
  return insertRefusal(db, attempt, now);
}

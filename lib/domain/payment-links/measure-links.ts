import type { Db } from "#lib/platform/db/connection.ts";
import { selectOverdue } from "./queries.ts";

/** Links that the sweep should have looked at by now, and since when the oldest of them waits; null: none does. */
export function countOverdueLinks(
  db: Db,
  now: Date,
): Promise<{ readonly overdue: number; readonly oldest: Date | null }> {
  return selectOverdue(db, now);
}

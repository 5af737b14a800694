import type { Db } from "#lib/db/connection.ts";
import { selectDueDeliveries } from "./store.ts";

/** Deliveries whose time has come, and since when the oldest of them waits; null: none does. */
export function measureDeliveries(
  db: Db,
  now: Date,
): Promise<{ readonly due: number; readonly oldest: Date | null }> {
  return selectDueDeliveries(db, now);
}

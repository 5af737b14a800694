import type { Db } from "#lib/platform/db/connection.ts";
import { countDisabledEndpoints } from "./endpoint-store.ts";
import { selectDueDeliveries } from "./store.ts";

/**
 * Deliveries whose time has come, and since when the oldest of them waits that no failing receiver holds up (null: none
 * does); endpoints that are sent nothing any more.
 */
export async function measureDeliveries(
  db: Db,
  now: Date,
): Promise<{ readonly due: number; readonly oldest: Date | null; readonly disabled: number }> {
  const [waiting, disabled] = await Promise.all([selectDueDeliveries(db, now), countDisabledEndpoints(db)]);
  return { ...waiting, disabled };
}

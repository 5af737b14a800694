import type { Db } from "#lib/db/connection.ts";
import { findForgottenDeliveries, queueDeliveries } from "./store.ts";

const BATCH = 200;

/**
 * Queues again every due delivery that no job will bring up: one whose worker was killed, or whose job was lost. The
 * rows are the truth, the jobs only wake somebody. Answers how many it found.
 */
export async function sweepDeliveries(db: Db, now: Date): Promise<number> {
  const ids = await findForgottenDeliveries(db, now, BATCH);
  await queueDeliveries(db, ids, null);
  return ids.length;
}

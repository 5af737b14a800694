import type { Db } from "#lib/platform/db/connection.ts";
import { deleteOldestAttempts } from "./delivery-store.ts";

const KEPT_MS = 30 * 86_400_000;
const AT_ONCE = 5_000;
/** Statements of one call: the next one goes on. */
const ROUNDS = 20;

/** Attempts older than 30 days leave the log, the oldest first. Deliveries and events stay. */
export async function deleteOldAttempts(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  for (let round = 0; round < ROUNDS; round++) {
    if ((await deleteOldestAttempts(db, before, AT_ONCE)) < AT_ONCE) return;
  }
}

import type { Db } from "#lib/platform/db/connection.ts";
import { deleteEventsBefore, deleteOldestAttempts } from "./delivery-store.ts";

const DAY_MS = 86_400_000;
const ATTEMPT_DAYS = 30;
const ATTEMPTS_AT_ONCE = 5_000;
const EVENTS_AT_ONCE = 1_000;
/** Statements per call. The next call continues. */
const ROUNDS = 20;

/** Deletes attempts older than 30 days from the log, oldest first. Deliveries and events stay. */
export async function deleteOldAttempts(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - ATTEMPT_DAYS * DAY_MS);
  for (let round = 0; round < ROUNDS; round++) {
    if ((await deleteOldestAttempts(db, before, ATTEMPTS_AT_ONCE)) < ATTEMPTS_AT_ONCE) return;
  }
}

/**
 * Deletes events older than `days`, oldest first, with their deliveries and attempts. An event that is still to be
 * delivered to an endpoint stays.
 */
export async function deleteOldEvents(
  db: Db,
  { days, now }: { readonly days: number; readonly now: Date },
): Promise<void> {
  const before = new Date(now.getTime() - days * DAY_MS);
  for (let round = 0; round < ROUNDS; round++) {
    if ((await deleteEventsBefore(db, before, EVENTS_AT_ONCE)) < EVENTS_AT_ONCE) return;
  }
}

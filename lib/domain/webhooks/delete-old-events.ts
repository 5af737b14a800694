import type { Db } from "#lib/platform/db/connection.ts";
import { inRounds } from "#lib/platform/db/in-rounds.ts";
import { deleteEventsBefore, deleteOldestAttempts } from "./delivery-store.ts";

const DAY_MS = 86_400_000;
const ATTEMPT_DAYS = 30;
const ATTEMPTS_AT_ONCE = 5_000;
const EVENTS_AT_ONCE = 1_000;

/** Deletes attempts older than 30 days from the log, oldest first. Deliveries and events stay. False if `until` aborted before the last. */
export function deleteOldAttempts(db: Db, now: Date, until?: AbortSignal): Promise<boolean> {
  const before = new Date(now.getTime() - ATTEMPT_DAYS * DAY_MS);
  return inRounds(ATTEMPTS_AT_ONCE, (limit) => deleteOldestAttempts(db, before, limit), until);
}

/**
 * Deletes events older than `days`, oldest first, with their deliveries and attempts. An event that is still to be
 * delivered to an endpoint stays. False if `until` aborted before the last.
 */
export function deleteOldEvents(
  db: Db,
  { days, now }: { readonly days: number; readonly now: Date },
  until?: AbortSignal,
): Promise<boolean> {
  const before = new Date(now.getTime() - days * DAY_MS);
  return inRounds(EVENTS_AT_ONCE, (limit) => deleteEventsBefore(db, before, limit), until);
}

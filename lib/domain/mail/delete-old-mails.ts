import type { Db } from "#lib/platform/db/connection.ts";
import { inRounds } from "#lib/platform/db/in-rounds.ts";
import { LONGEST_WAIT_MS } from "./rules.ts";
import { deleteMailsBefore, failOldMails } from "./store.ts";

const DAY_MS = 86_400_000;
/** After that a mail's unsubscribe address does not work any more. */
const KEPT_DAYS = 90;
const AT_ONCE = 1_000;

/** Fails mails that waited for too long, and deletes those that are older than 90 days. False if `until` aborted before the last. */
export async function deleteOldMails(db: Db, now: Date, until?: AbortSignal): Promise<boolean> {
  const tooOld = new Date(now.getTime() - LONGEST_WAIT_MS);
  const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
  const areFailed = await inRounds(AT_ONCE, (limit) => failOldMails(db, tooOld, limit), until);
  const areDeleted = await inRounds(AT_ONCE, (limit) => deleteMailsBefore(db, before, limit), until);
  return areFailed && areDeleted;
}

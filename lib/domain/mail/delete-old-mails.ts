import type { Db } from "#lib/platform/db/connection.ts";
import { LONGEST_WAIT_MS } from "./rules.ts";
import { deleteMailsBefore, failOldMails } from "./store.ts";

const DAY_MS = 86_400_000;
/** After that a mail's unsubscribe address does not work any more. */
const KEPT_DAYS = 90;
const AT_ONCE = 1_000;
/** Statements per call. The next call continues. */
const ROUNDS = 20;

/** Fails mails that waited for too long, and deletes those that are older than 90 days. */
export async function deleteOldMails(db: Db, now: Date): Promise<void> {
  const tooOld = new Date(now.getTime() - LONGEST_WAIT_MS);
  const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
  for (let round = 0; round < ROUNDS; round++) {
    if ((await failOldMails(db, tooOld, AT_ONCE)) < AT_ONCE) break;
  }
  for (let round = 0; round < ROUNDS; round++) {
    if ((await deleteMailsBefore(db, before, AT_ONCE)) < AT_ONCE) return;
  }
}

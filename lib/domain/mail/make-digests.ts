import { summarizeEvents } from "#lib/domain/webhooks/queries.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { enqueueMails } from "./enqueue-mails.ts";
import { dayAfter, startOfDay } from "./rules.ts";
import { lockDueDigest, updateMailSettings } from "./settings-store.ts";

/** Merchants per call. Each takes a transaction of its own. */
const MERCHANTS_AT_ONCE = 500;
/** A digest of an older day is not made any more: its events may be deleted. */
const OLDEST_DAYS = 7;

/**
 * Makes the digests of past days, one day of a merchant at a time. The mail and the note that it is made are one transaction,
 * so that a killed process loses and doubles none.
 */
export async function makeDigests(db: Db, now: Date, stopping?: AbortSignal): Promise<void> {
  const today = startOfDay(now);
  for (let made = 0; made < MERCHANTS_AT_ONCE && !stopping?.aborted; made++) {
    if (!(await makeOne(db, today, now))) return;
  }
}

/** Returns false if none is due. */
function makeOne(db: Db, today: Date, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const settings = await lockDueDigest(tx, today);
    if (settings === null) return false;
    const { merchantId, env, kinds, recipient, digestedUntil } = settings;
    const owner = { merchantId, env };
    const oldest = new Date(today.getTime() - OLDEST_DAYS * 86_400_000);
    const day = digestedUntil === null || digestedUntil < oldest ? oldest : digestedUntil;
    const until = dayAfter(day);
    const { events, credited } = await summarizeEvents(tx, owner, { from: day, to: until });
    const data = { day: day.toISOString().slice(0, 10), events, credited };
    await enqueueMails(tx, [{ ...owner, kind: "digest", recipient: null, data }], now);
    await updateMailSettings(tx, owner, { kinds, recipient, digestedUntil: until }, now);
    return true;
  });
}

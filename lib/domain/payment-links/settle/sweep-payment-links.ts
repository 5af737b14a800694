import { clearVisitors, listDueLinkIds, lockDueLink, postponeLink } from "../store.ts";
import type { PaymentLinkDeps } from "../types.ts";
import { VISITOR_WINDOW_MS } from "../visitor-rules.ts";
import { settleLinks } from "./settle-links.ts";

/** Links taken in one sweep; what is left waits for the next. */
const BATCH = 200;
/** A link that could not be settled lets the others go first for this long. */
const AFTER_FAILURE_MS = 60_000;

/**
 * Settles the links whose time has come: deadlines, verdicts, valuations that waited for a rate. Each in a
 * transaction of its own; what another process holds is left to it. Returns how many were settled.
 * Throws an AggregateError, after all of them were tried, of those that failed: each is put off and tried again.
 */
export async function sweepPaymentLinks(deps: PaymentLinkDeps, now: Date): Promise<number> {
  const errors: unknown[] = [];
  let settled = 0;
  for (const id of await listDueLinkIds(deps.db, now, BATCH)) {
    try {
      const done = await deps.db.transaction(async (tx) => {
        const row = await lockDueLink(tx, id, now);
        if (row) await settleLinks(tx, deps, [row], { touched: false }, now);
        return row !== null;
      });
      if (done) settled += 1;
    } catch (cause) {
      errors.push(new Error(`payment link ${id} could not be settled`, { cause }));
      await postponeLink(deps.db, id, now, new Date(now.getTime() + AFTER_FAILURE_MS));
    }
  }
  await clearVisitors(deps.db, new Date(now.getTime() - VISITOR_WINDOW_MS));
  if (errors.length > 0)
    throw new AggregateError(errors, `${errors.length} payment links could not be settled`);
  return settled;
}

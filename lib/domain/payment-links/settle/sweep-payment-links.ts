import { isUnitFault } from "#lib/domain/attention/set-aside.ts";
import { listDueLinkIds } from "../queries.ts";
import { clearVisitors, lockDueLink } from "../store.ts";
import type { PaymentLinkDeps } from "../types.ts";
import { VISITOR_WINDOW_MS } from "../visitor-rules.ts";
import { setLinkAside, settleLinks } from "./settle-links.ts";

/** At most this many links are settled in one sweep. The next sweep settles the rest. */
const BATCH = 200;

/**
 * Settles the due links: deadlines, ends of grace periods, and payments that waited for a rate. Each link has its own
 * transaction. Skips links that another process has locked. Returns how many links were settled.
 * Tries all links, then throws an AggregateError of those that failed. They are set aside and retried later.
 */
export async function sweepPaymentLinks(deps: PaymentLinkDeps, now: Date): Promise<number> {
  const errors: unknown[] = [];
  let settled = 0;
  for (const id of await listDueLinkIds(deps.db, now, BATCH)) {
    try {
      const isSettled = await deps.db.transaction(async (tx) => {
        const row = await lockDueLink(tx, id, now);
        if (row) await settleLinks(tx, deps, [row], { visible: false, now });
        return row !== null;
      });
      if (isSettled) settled += 1;
    } catch (cause) {
      if (!isUnitFault(cause)) throw cause;
      errors.push(new Error(`payment link ${id} could not be settled`, { cause }));
      await deps.db.transaction(async (tx) => {
        const row = await lockDueLink(tx, id, now);
        if (row) await setLinkAside(tx, row.link, cause, now);
      });
    }
  }
  await clearVisitors(deps.db, new Date(now.getTime() - VISITOR_WINDOW_MS));
  if (errors.length > 0)
    throw new AggregateError(errors, `${errors.length} payment links could not be settled`);
  return settled;
}

import { isolateFaults } from "#lib/domain/attention/set-aside.ts";
import { listDueLinkIds } from "../queries.ts";
import { clearVisitors, lockDueLinks } from "../store.ts";
import type { LinkRow, PaymentLinkDeps } from "../types.ts";
import { VISITOR_WINDOW_MS } from "../visitor-rules.ts";
import { setLinkAside, settleLinks } from "./settle-links.ts";

/** At most this many links are settled in one sweep. The next sweep settles the rest. */
const PER_SWEEP = 10_000;
/** Links per transaction. They are locked until it ends, so that it must be short. */
const BATCH_SIZE = 150;
/** Transactions at the same time: the process prepares one while the database runs the others. */
const AT_ONCE = 3;

/**
 * Settles the due links: deadlines, ends of grace periods, and payments that waited for a rate. Many can end in the same
 * second, so that a transaction settles a batch. Skips links that another process has locked. Returns how many links were
 * settled. Once `stopping` is aborted it begins no other batch.
 * Tries all links, then throws an AggregateError of those that failed. They are set aside and retried later.
 */
export async function sweepPaymentLinks(
  deps: PaymentLinkDeps,
  now: Date,
  stopping?: AbortSignal,
): Promise<number> {
  const errors: Error[] = [];
  let settled = 0;
  const due = await listDueLinkIds(deps.db, now, PER_SWEEP);
  for (let i = 0; i < due.length && !stopping?.aborted; i += AT_ONCE * BATCH_SIZE) {
    const batches = Array.from({ length: AT_ONCE }, (_, n) => {
      const from = i + n * BATCH_SIZE;
      return settleDueLinks(deps, due.slice(from, from + BATCH_SIZE), now);
    });
    // None is left behind when another one fails.
    await Promise.allSettled(batches);
    for (const batch of await Promise.all(batches)) {
      settled += batch.settled;
      errors.push(...batch.errors);
    }
  }
  await clearVisitors(deps.db, new Date(now.getTime() - VISITOR_WINDOW_MS));
  if (errors.length > 0)
    throw new AggregateError(errors, `${errors.length} payment links could not be settled`);
  return settled;
}

/** Settles these links in one transaction if they are still due. Sets aside those that fail, and returns their errors. */
async function settleDueLinks(
  deps: PaymentLinkDeps,
  ids: readonly number[],
  now: Date,
): Promise<{ readonly settled: number; readonly errors: readonly Error[] }> {
  if (ids.length === 0) return { settled: 0, errors: [] };
  return deps.db.transaction(async (tx) => {
    const links = await lockDueLinks(tx, ids, now);
    const errors: Error[] = [];
    const settle = (some: readonly LinkRow[]) =>
      tx.transaction((savepoint) => settleLinks(savepoint, deps, some, { visible: false, now }));
    await isolateFaults(links, settle, async ({ link }, cause) => {
      errors.push(new Error(`payment link ${link.id} could not be settled`, { cause }));
      await setLinkAside(tx, link, cause, now);
    });
    return { settled: links.length - errors.length, errors };
  });
}

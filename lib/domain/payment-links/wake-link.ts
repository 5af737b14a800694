import type { Tx } from "#lib/platform/db/connection.ts";
import { increaseVersions, updateNextCheck } from "./store.ts";

/**
 * Lets the sweep evaluate a link whose refunds change in this transaction, and notifies open pages: what is given back does
 * not count, and what is not given back after all counts again. Locks the link, so that it comes before the withdrawal or
 * the claim (docs/architecture.md, Locks).
 */
export async function wakeLink(tx: Tx, id: number, now: Date): Promise<void> {
  await updateNextCheck(tx, id, now);
  await increaseVersions(tx, [id], now);
}

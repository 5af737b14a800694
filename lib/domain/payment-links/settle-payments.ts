import type { Tx } from "#lib/platform/db/connection.ts";
import { settleLinks } from "./settle/settle-links.ts";
import { listLinkIdsByDeposit, lockLinks } from "./store.ts";
import type { PaymentLinkDeps } from "./types.ts";

/**
 * Re-evaluates every link that these deposits were made to, in the transaction that recorded, confirmed or dropped
 * them. Deposits to other addresses are passed over. Locks the links in ascending order.
 */
export async function settlePayments(
  tx: Tx,
  deps: PaymentLinkDeps,
  depositIds: readonly number[],
  now: Date,
): Promise<void> {
  const links = await lockLinks(tx, await listLinkIdsByDeposit(tx, depositIds));
  await settleLinks(tx, deps, links, { touched: true }, now);
}

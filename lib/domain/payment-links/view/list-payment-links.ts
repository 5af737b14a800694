import type { Db } from "#lib/platform/db/connection.ts";
import { countLinks, type LinkFilter, listLinkRows, listLinkWallets } from "../store.ts";
import type { PaymentLinkDeps, PaymentLinkSummary } from "../types.ts";
import { composeSummary } from "./compose-view.ts";

/** An owner's links as a list shows them, newest first, below the id `before`; null: from the newest. Two queries. */
export async function listPaymentLinks(
  deps: PaymentLinkDeps,
  filter: LinkFilter,
  page: { before: number | null; limit: number },
): Promise<PaymentLinkSummary[]> {
  const rows = await listLinkRows(deps.db, filter, page);
  const ids = rows.map(({ link }) => link.id);
  const wallets = Map.groupBy(
    ids.length === 0 ? [] : await listLinkWallets(deps.db, ids),
    ({ linkId }) => linkId,
  );
  return rows.map((row) => composeSummary(row, wallets.get(row.link.id) ?? [], deps));
}

/** How many links the filter finds. */
export function countPaymentLinks(db: Db, filter: LinkFilter): Promise<number> {
  return countLinks(db, filter);
}

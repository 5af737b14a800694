import type { Env } from "#lib/chains/network-data.ts";
import { type LinkFilter, type LinkPage, listLinkRows, listLinkWallets } from "../queries.ts";
import { findLinkRate, networksWithoutQuote } from "../quote-rules.ts";
import { acceptsPayment } from "../rules.ts";
import { renewQuotes } from "../settle/renew-quotes.ts";
import type { PaymentLinkDeps, PaymentLinkSummary, PaymentLinkView } from "../types.ts";
import { composeRecord, composeSummary, composeView, type PaymentLinkRecord } from "./compose-view.ts";
import { findSnapshot, groupByLink, type LinkSnapshot } from "./snapshot.ts";

/** What reading stored links needs: no prices. */
export type StoredLinkDeps = Pick<PaymentLinkDeps, "db" | "networks" | "settings">;

/**
 * Views a link from one consistent read. If a selected network of an unpaid link has no current quote, renews it
 * first. null if there is no such link, or if `owner` does not own it.
 */
export async function viewPaymentLink(
  deps: PaymentLinkDeps,
  refid: string,
  now: Date,
  owner?: { readonly merchantId: number; readonly env: Env },
): Promise<PaymentLinkView | null> {
  let snapshot = await readSnapshot(deps.db, refid, owner);
  if (snapshot && needsQuotes(snapshot, deps, now)) {
    await renewQuotes(deps, refid, now);
    snapshot = await readSnapshot(deps.db, refid, owner);
  }
  return snapshot && composeView(snapshot, deps, now);
}

/**
 * The stored link without what depends on current prices. Writes nothing: its quotes are not renewed. null if there is
 * no such link.
 */
export async function findPaymentLinkRecord(
  deps: StoredLinkDeps,
  refid: string,
  now: Date,
): Promise<PaymentLinkRecord | null> {
  const snapshot = await readSnapshot(deps.db, refid);
  return snapshot && composeRecord(snapshot, deps, now);
}

function readSnapshot(
  db: PaymentLinkDeps["db"],
  refid: string,
  owner?: { readonly merchantId: number; readonly env: Env },
): Promise<LinkSnapshot | null> {
  return db.transaction((tx) => findSnapshot(tx, refid, owner), {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
}

/** True if a selected network has no current quote and one can be created. */
function needsQuotes(snapshot: LinkSnapshot, deps: PaymentLinkDeps, now: Date): boolean {
  const { link, wallets, quotes } = snapshot;
  if (!acceptsPayment(link, now)) return false;
  return networksWithoutQuote(wallets, quotes, now).some(
    ({ token }) => findLinkRate(deps.rates, snapshot, token, now) !== null,
  );
}

/** Lists links, newest first, after the link `before` (null: from the newest). Two queries. */
export async function listPaymentLinks(
  deps: StoredLinkDeps,
  filter: LinkFilter,
  page: LinkPage,
): Promise<PaymentLinkSummary[]> {
  const rows = await listLinkRows(deps.db, filter, page);
  const ids = rows.map(({ link }) => link.id);
  const wallets = groupByLink(ids.length === 0 ? [] : await listLinkWallets(deps.db, ids));
  return rows.map((row) => composeSummary(row, wallets.get(row.link.id) ?? [], deps));
}

import type { Env } from "#lib/chains/network-data.ts";
import {
  type LinkPage,
  type LinkPosition,
  listLinkRows,
  listLinkRowsById,
  listLinkWallets,
} from "../queries.ts";
import { type SearchedLinks, searchLinkIds } from "../search/search-queries.ts";
import { readSearch, type SearchedText } from "../search/search-text.ts";
import type { LinkFilter, LinkRow, PaymentLinkDeps, PaymentLinkSummary } from "../types.ts";
import { composeRecord, composeSummary, type PaymentLinkRecord } from "./compose-view.ts";
import { findSnapshot, groupByLink, type LinkSnapshot } from "./snapshot.ts";

/** The dependencies of reading stored links: no prices. */
export type StoredLinkDeps = Pick<PaymentLinkDeps, "db" | "networks" | "settings">;

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

/** One consistent read of a link. null for an unknown refid, or if `owner` does not own it. */
export function readSnapshot(
  db: PaymentLinkDeps["db"],
  refid: string,
  owner?: { readonly merchantId: number; readonly env: Env },
): Promise<LinkSnapshot | null> {
  return db.transaction((tx) => findSnapshot(tx, refid, owner), {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
}

/** Lists the links of a merchant that match a searched text, like listPaymentLinks. Three queries. */
export async function searchPaymentLinks(
  deps: StoredLinkDeps,
  links: SearchedLinks,
  text: SearchedText,
  page: LinkPage,
): Promise<PaymentLinkSummary[]> {
  const terms = readSearch(text);
  const ids = terms === null ? [] : await searchLinkIds(deps.db, links, terms, page);
  const rows = ids.length === 0 ? [] : await listLinkRowsById(deps.db, ids, page.withMetadata ?? false);
  const byId = new Map(rows.map((row) => [row.link.id, row]));
  return composeSummaries(
    deps,
    ids.flatMap((id) => byId.get(id) ?? []),
  );
}

/** Lists links, newest first, after the link `before` (null: from the newest). Two queries. */
export async function listPaymentLinks(
  deps: StoredLinkDeps,
  filter: LinkFilter,
  page: LinkPage,
): Promise<PaymentLinkSummary[]> {
  return composeSummaries(deps, await listLinkRows(deps.db, filter, page));
}

async function composeSummaries(
  deps: StoredLinkDeps,
  rows: readonly LinkRow[],
): Promise<PaymentLinkSummary[]> {
  const ids = rows.map(({ link }) => link.id);
  const wallets = groupByLink(ids.length === 0 ? [] : await listLinkWallets(deps.db, ids));
  return rows.map((row) => composeSummary(row, wallets.get(row.link.id) ?? [], deps));
}

const AT_ONCE = 500;

/**
 * The links of a filter, and of a searched text (null: all), that were created from `from` (included) to `to` (excluded), newest first, in
 * parts that are read on demand.
 */
export async function* exportLinks(
  deps: StoredLinkDeps,
  filter: SearchedLinks,
  { from, to, search }: { readonly from: Date; readonly to: Date; readonly search: string | null },
): AsyncGenerator<readonly PaymentLinkSummary[]> {
  // No link has the id 0: the list begins with the newest link before `to`.
  let before: LinkPosition | null = { createdAt: to, id: 0 };
  while (before !== null) {
    const range = { before, limit: AT_ONCE };
    const page: PaymentLinkSummary[] = await (search === null
      ? listPaymentLinks(deps, filter, range)
      : searchPaymentLinks(deps, filter, { begins: search }, range));
    const part = page.filter(({ createdAt }) => createdAt >= from);
    if (part.length > 0) yield part;
    before = part.length === AT_ONCE ? (part.at(-1) ?? null) : null;
  }
}

import type { Db } from "#lib/platform/db/connection.ts";
import { type HistoryCursor, mergeHistory } from "./history-rules.ts";
import { countHistory, listPostings, listRefusedAttempts } from "./history-store.ts";
import type { HistoryEntry, HistoryFilter } from "./types.ts";

/** A merchant's history, newest first, from `before` on: the postings on its accounts and the attempts refused. */
export async function listHistory(
  db: Db,
  filter: HistoryFilter,
  { before, limit }: { readonly before: HistoryCursor | null; readonly limit: number },
): Promise<{ readonly entries: readonly HistoryEntry[]; readonly next: HistoryCursor | null }> {
  const [postings, refusals] = await Promise.all([
    filter.status === 0 ? [] : listPostings(db, filter, before?.posting ?? null, limit + 1),
    filter.status === 1 ? [] : listRefusedAttempts(db, filter, before?.refusal ?? null, limit + 1),
  ]);
  return mergeHistory(postings, refusals, limit);
}

/** How many entries there are in all. */
export function totalHistory(db: Db, filter: HistoryFilter): Promise<number> {
  return countHistory(db, filter);
}

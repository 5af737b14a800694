import type { HistoryEntry } from "./types.ts";

/** Where the next page of history starts: only postings and refused attempts with lower ids than these. */
export interface HistoryCursor {
  readonly posting: number;
  readonly refusal: number;
}

/**
 * Merges two lists and returns the newest `limit` entries. Both lists are sorted by descending id. Entries are compared
 * by time between the lists. Each list keeps its own order, whatever the times are. `next` is null on the last page.
 * For that, each list must hold one entry more than `limit` if there are more.
 */
export function mergeHistory(
  postings: readonly HistoryEntry[],
  refusals: readonly HistoryEntry[],
  limit: number,
): { readonly entries: readonly HistoryEntry[]; readonly next: HistoryCursor | null } {
  const entries: HistoryEntry[] = [];
  let p = 0;
  let r = 0;
  while (entries.length < limit) {
    const posting = postings[p];
    const refusal = refusals[r];
    if (posting && (!refusal || posting.createdAt >= refusal.createdAt)) {
      entries.push(posting);
      p += 1;
    } else if (refusal) {
      entries.push(refusal);
      r += 1;
    } else break;
  }
  const more = p < postings.length || r < refusals.length;
  return {
    entries,
    next: more ? { posting: upperBound(postings, p), refusal: upperBound(refusals, r) } : null,
  };
}

/**
 * The id below which the rest of a list starts. If nothing was taken yet, the bound is just above the first entry, so
 * that newer entries do not appear on later pages.
 */
function upperBound(list: readonly HistoryEntry[], taken: number): number {
  const last = list[taken - 1];
  if (last) return last.id;
  const first = list[0];
  return first ? first.id + 1 : 1;
}

import type { HistoryEntry } from "./types.ts";

/** Where a page of history goes on: only postings and refusals with lower ids than these. */
export interface HistoryCursor {
  readonly posting: number;
  readonly refusal: number;
}

/**
 * The newest `limit` of two lists, each by falling ids: by time between the two, and each in its own order, whatever
 * the times say. `next` is null when that was all; both lists must hold one more than `limit` where there is more.
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
  return { entries, next: more ? { posting: bound(postings, p), refusal: bound(refusals, r) } : null };
}

/** The bound below which the rest of a list begins, also when none or all of it was taken; what came later stays above. */
function bound(list: readonly HistoryEntry[], taken: number): number {
  const last = list[taken - 1];
  if (last) return last.id;
  const first = list[0];
  return first ? first.id + 1 : 1;
}

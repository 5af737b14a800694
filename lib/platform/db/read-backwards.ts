const AT_ONCE = 500;
/** Ids and times are from concurrent transactions: their order differs by less than this. */
const OVERLAP_MS = 3_600_000;

interface Dated {
  readonly id: number;
  readonly createdAt: Date;
}

/**
 * The rows of a list by descending id that were created at `from` or later, in parts that are read on demand. `list` reads the
 * rows below an id; null: from the newest.
 */
export async function* readBackwards<T>(
  list: (page: { readonly before: number | null; readonly limit: number }) => Promise<readonly T[]>,
  datedOf: (row: T) => Dated,
  from: Date,
): AsyncGenerator<readonly T[]> {
  let before: number | null = null;
  for (;;) {
    const page: readonly T[] = await list({ before, limit: AT_ONCE });
    const part = page.filter((row) => datedOf(row).createdAt >= from);
    if (part.length > 0) yield part;
    const last = page.at(-1);
    if (last === undefined || page.length < AT_ONCE) return;
    const { id, createdAt } = datedOf(last);
    if (createdAt.getTime() < from.getTime() - OVERLAP_MS) return;
    before = id;
  }
}

const AT_ONCE = 500;
/** Ids and times are from concurrent transactions: their order differs by less than this. */
const OVERLAP_MS = 3_600_000;

/** How far the clock of one of the machines may have been ahead for a while, so that a part of the rows is dated too late. */
const CLOCK_MS = 86_400_000;

interface Dated {
  readonly id: number;
  readonly createdAt: Date;
}

/** Rows by descending id: below the id `before` (null: from the newest), and created before a time, if there is one. */
interface Page {
  readonly before: number | null;
  readonly limit: number;
  readonly createdBefore?: Date;
}

interface DatedList<T> {
  readonly list: (page: Page) => Promise<readonly T[]>;
  readonly datedOf: (row: T) => Dated;
}

/** The rows of a list by descending id that were created from `from` (included) to `to` (excluded), in parts that are read on demand. */
export async function* readBackwards<T>(
  { list, datedOf }: DatedList<T>,
  { from, to }: { readonly from: Date; readonly to: Date },
): AsyncGenerator<readonly T[]> {
  let before = await findStart({ list, datedOf }, to);
  for (;;) {
    const page: readonly T[] = await list({ before, limit: AT_ONCE, createdBefore: to });
    const part = page.filter((row) => datedOf(row).createdAt >= from);
    if (part.length > 0) yield part;
    const last = page.at(-1);
    if (last === undefined || page.length < AT_ONCE) return;
    const { id, createdAt } = datedOf(last);
    if (createdAt.getTime() < from.getTime() - OVERLAP_MS) return;
    before = id;
  }
}

/**
 * An id that no row created before `to` has, or is above, with few newer rows below it. null: the newest rows may be that old. It is looked
 * for by halves, one row each: the rows have no index by their times, and reading all newer ones takes long.
 */
async function findStart<T>({ list, datedOf }: DatedList<T>, to: Date): Promise<number | null> {
  const findBelow = async (before: number | null): Promise<Dated | null> => {
    const [row] = await list({ before, limit: 1 });
    return row === undefined ? null : datedOf(row);
  };
  // Rows with higher ids than such a row were created at `to` or later.
  const isNewer = (row: Dated | null): row is Dated =>
    row !== null && row.createdAt.getTime() >= to.getTime() + CLOCK_MS;
  const newest = await findBelow(null);
  if (!isNewer(newest)) return null;
  let [lowest, start] = [0, newest.id];
  while (start - lowest > AT_ONCE) {
    const middle = Math.floor((lowest + start) / 2);
    const row = await findBelow(middle);
    if (isNewer(row)) start = row.id;
    else lowest = middle;
  }
  return start;
}

/**
 * Whether the benches run in their short form (`npm run bench -- --short`): every step with small counts, so its figures mean nothing. It shows
 * only that a bench still works.
 */
export const IS_SHORT = process.env.BENCH === "short";

/** Returns the count of the whole bench or the one of its short form. */
export function sized<T>(whole: T, short: T): T {
  return IS_SHORT ? short : whole;
}

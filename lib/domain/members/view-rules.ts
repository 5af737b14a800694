import { isPlainLine } from "#lib/platform/plain-text.ts";

/** Saved views of one person at one merchant, in live and test together. */
export const MAX_VIEWS = 20;
export const MAX_VIEW_NAME = 40;
/** Characters of a filter as the query of a URL. Only the searched text can make it longer. */
export const MAX_VIEW_QUERY = 1_000;

/** The name of a view in one line. null if it is empty, too long or malformed. */
export function readViewName(given: string): string | null {
  const name = given.trim();
  return name !== "" && isPlainLine(name) && [...name].length <= MAX_VIEW_NAME ? name : null;
}

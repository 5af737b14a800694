/** The id in a list's URL that its rows come before. null for any text that is no id: the list begins with the newest. */
export function readIdCursor(given: string | string[] | undefined): number | null {
  return typeof given === "string" && /^[1-9][0-9]{0,14}$/.test(given) ? Number(given) : null;
}

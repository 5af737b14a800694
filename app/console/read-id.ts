/** The id of a row in a URL or a form. null for any text that is no id. */
export function readId(given: string | string[] | undefined): number | null {
  return typeof given === "string" && /^[1-9][0-9]{0,14}$/.test(given) ? Number(given) : null;
}

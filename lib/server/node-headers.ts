/** Headers that the client sets itself, or that would change how the request is read. */
const OWN_HEADERS: ReadonlySet<string> = new Set(["content-type", "content-length", "host", "connection"]);
/** RFC 9110: a token, and visible characters with spaces between. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

export type Headers = Readonly<Record<string, string>>;

/**
 * Parses `…_RPC_HEADERS`: one entry for each of `urls` URLs, separated by commas, so that no provider gets the
 * key of another. Headers of one entry are separated by semicolons. An entry may be empty. Null: malformed.
 */
export function parseNodeHeaders(text: string, urls: number): readonly Headers[] | null {
  const entries = text.split(",").map(parseEntry);
  const valid = entries.filter((entry) => entry !== null);
  return valid.length === entries.length && valid.length === urls ? valid : null;
}

function parseEntry(text: string): Headers | null {
  const headers = new Map<string, string>();
  for (const part of text.split(";")) {
    if (part.trim() === "") continue;
    const colon = part.indexOf(":");
    const [name, value] = [part.slice(0, colon).trim().toLowerCase(), part.slice(colon + 1).trim()];
    const legal = colon > 0 && NAME.test(name) && VALUE.test(value) && !OWN_HEADERS.has(name);
    if (!legal || headers.has(name)) return null;
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}

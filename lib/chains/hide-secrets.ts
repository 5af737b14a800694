/** Words of URLs and headers that are no secret, and that answers contain. */
const PUBLIC_WORDS: ReadonlySet<string> = new Set([
  "jsonrpc",
  "wallet",
  "mainnet",
  "testnet",
  "http",
  "https",
  "bearer",
  "basic",
  "token",
  "ethereum",
]);
/** Shorter parts of a path are versions and names of chains ("v3", "eth"). */
const SHORTEST_PART = 5;

/**
 * Returns a function that replaces everything secret of a node's URLs and headers in texts for logs and errors:
 * providers repeat keys in their refusals.
 */
export function createSecretFilter(
  texts: readonly string[],
  headers: Readonly<Record<string, string>>,
): (text: string) => string {
  const urls = texts.map((text) => new URL(text));
  const keys = urls.flatMap(({ pathname, searchParams, search }) => [
    ...pathname.split("/"),
    ...searchParams.values(),
    ...search.slice(1).split("&"),
  ]);
  const parts = [...keys, ...Object.values(headers).flatMap((value) => [value, ...value.split(/[\s,;=]+/)])];
  const credentials = urls.flatMap(({ username, password }) => [username, password]);
  const secrets = [...parts.filter((part) => part.length >= SHORTEST_PART), ...Object.values(headers)]
    .filter((part) => !PUBLIC_WORDS.has(part.toLowerCase()))
    .concat(credentials)
    .flatMap((part) => [part, decode(part)])
    .filter((part) => part !== "");
  if (secrets.length === 0) return (said) => said;
  // Longest first: a key may begin with another.
  const longestFirst = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(escapePattern).join("|"), "gi");
  return (said) => said.replace(pattern, "[hidden]");
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A visitor can allocate this many new addresses within VISITOR_WINDOW_MS (docs/shapes.md, Page and socket). */
export const VISITOR_LIMIT = 30;
export const VISITOR_WINDOW_MS = 10 * 60_000;

function splitGroups(half: string): string[] {
  return half === "" ? [] : half.split(":");
}

/**
 * The key that counts as one visitor: an IPv4 address (also if written as an IPv6 address), or the 64-bit network of
 * an IPv6 address, because one person can use every address in it. Other text is its own key.
 */
export function visitorNetwork(ip: string): string {
  const text = ip.trim().toLowerCase().replace(/%.*$/, "");
  const mapped = /^(?:0*:)*:?(?:0*:)*ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (mapped?.[1]) return mapped[1];
  if (!text.includes(":")) return text;
  const [before = "", after] = text.split("::");
  const head = splitGroups(before);
  const tail = splitGroups(after ?? "");
  const missing = after === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  const groups = [...head, ...Array<string>(missing).fill("0"), ...tail];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

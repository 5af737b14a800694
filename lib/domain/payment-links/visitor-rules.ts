/** A visitor may cause this many new addresses in this time (docs/shapes.md, Page and socket). */
export const VISITOR_LIMIT = 30;
export const VISITOR_WINDOW_MS = 10 * 60_000;

function groupsOf(half: string): string[] {
  return half === "" ? [] : half.split(":");
}

/**
 * What counts as one visitor: an IPv4 address, also when written as an IPv6 one, or the 64-bit network of an IPv6
 * address, within which one person has addresses without end. Other text stands for itself.
 */
export function visitorNetwork(ip: string): string {
  const text = ip.trim().toLowerCase().replace(/%.*$/, "");
  const mapped = /^(?:0*:)*:?(?:0*:)*ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (mapped?.[1]) return mapped[1];
  if (!text.includes(":")) return text;
  const [before = "", after] = text.split("::");
  const head = groupsOf(before);
  const tail = groupsOf(after ?? "");
  const missing = after === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  const groups = [...head, ...Array<string>(missing).fill("0"), ...tail];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

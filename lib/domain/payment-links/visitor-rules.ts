/** A visitor can allocate this many new addresses within VISITOR_WINDOW_MS (docs/shapes.md, Page and socket). */
export const VISITOR_LIMIT = 30;
export const VISITOR_WINDOW_MS = 10 * 60_000;

/** A person's line or server may have a whole /48: 65,536 networks that count as one visitor each. Together they have this many times its limit. */
export const SITE_SHARE = 10;

/** Counts within a window: of one visitor, and of its whole site. */
export interface VisitorCount {
  readonly ofVisitor: number;
  readonly ofSite: number;
}

/** True if the visitor, or its site, has reached its limit. */
export const isAtVisitorLimit = ({ ofVisitor, ofSite }: VisitorCount): boolean =>
  ofVisitor >= VISITOR_LIMIT || ofSite >= VISITOR_LIMIT * SITE_SHARE;

function splitGroups(half: string): string[] {
  return half === "" ? [] : half.split(":");
}

/** The groups of an IPv6 address. null for an IPv4 address, also if written as an IPv6 address, and for other text. */
function readGroups(text: string): string[] | null {
  if (!text.includes(":")) return null;
  const [before = "", after] = text.split("::");
  const head = splitGroups(before);
  const tail = splitGroups(after ?? "");
  const missing = after === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  return [...head, ...Array<string>(missing).fill("0"), ...tail].map((group) =>
    group.replace(/^0+(?=.)/, ""),
  );
}

/**
 * The keys that count as one visitor and as one site. A visitor is an IPv4 address (also if written as an IPv6 address), or the 64-bit
 * network of an IPv6 address, because one person can use every address in it. A site is the 48-bit network, or the IPv4 address.
 * Other text is its own key.
 */
export function visitorNetworks(ip: string): { readonly visitor: string; readonly site: string } {
  const text = ip.trim().toLowerCase().replace(/%.*$/, "");
  const mapped = /^(?:0*:)*:?(?:0*:)*ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1];
  const groups = mapped === undefined ? readGroups(text) : null;
  if (groups === null) return { visitor: mapped ?? text, site: mapped ?? text };
  return { visitor: `${groups.slice(0, 4).join(":")}::/64`, site: `${groups.slice(0, 3).join(":")}::/48` };
}

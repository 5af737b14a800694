import { BlockList, isIP } from "node:net";

/**
 * IPv4 that is nobody's public server: what the IANA IPv4 Special-Purpose Address Registry (RFC 6890) calls not
 * globally reachable, multicast (RFC 5771), the 6to4 relays (RFC 7526), and the address under which Azure answers
 * its own machines.
 */
const CLOSED_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "168.63.129.16/32",
] as const;

/** IPv6 that spells an IPv4 address in its last 32 bits, and leads there: mapped (RFC 4291), NAT64 (RFC 6052). */
const SPELLS_IPV4 = ["::ffff:", "64:ff9b::"] as const;

/** The one part of IPv6 that is given out for public use (RFC 4291, IANA IPv6 Global Unicast). */
const GLOBAL_IPV6 = "2000::/3";

/**
 * What of it is special (IANA IPv6 Special-Purpose Address Registry): protocol assignments with Teredo, which hides
 * an IPv4 address; documentation, twice; 6to4, which hides one too.
 */
const CLOSED_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"] as const;

const closed = buildRangeList([
  ...CLOSED_IPV4,
  ...CLOSED_IPV6,
  ...SPELLS_IPV4.flatMap((prefix) => CLOSED_IPV4.map((range) => spelled(prefix, range))),
]);
const open = buildRangeList([
  "0.0.0.0/0",
  GLOBAL_IPV6,
  ...SPELLS_IPV4.map((prefix) => spelled(prefix, "0.0.0.0/0")),
]);

/** An IPv4 range as a prefix of 96 bits spells it. */
function spelled(prefix: string, range: string): string {
  const [address, bits] = range.split("/");
  return `${prefix}${address}/${96 + Number(bits)}`;
}

/** Addresses and CIDR ranges as one list. Throws RangeError on a text that is neither. */
export function buildRangeList(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const range = parseIpRange(text);
    if (range === null) throw new RangeError("neither an address nor a CIDR range");
    list.addSubnet(range.address, range.bits, range.family);
  }
  return list;
}

/** Whether `address` is in the list; an IPv4 address written as IPv6 is the IPv4 address. */
export function isInRanges(list: BlockList, address: string): boolean {
  const range = parseIpRange(address);
  return range !== null && list.check(range.address, range.family);
}

/**
 * Whether an IPv4 or IPv6 address in its usual text may belong to a public server. Anything special is not: private,
 * loopback, link-local (cloud metadata), shared, documentation, multicast, tunnels; nor is what is no address, or has
 * a zone.
 */
export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && isInRanges(open, address) && !isInRanges(closed, address);
}

export interface IpRange {
  readonly address: string;
  readonly bits: number;
  readonly family: "ipv4" | "ipv6";
}

/** Reads an address or CIDR, IPv4 or IPv6; IPv4 written as IPv6 becomes IPv4. null for anything else. */
export function parseIpRange(text: string): IpRange | null {
  const [whole = "", bitsText, ...rest] = text.trim().split("/");
  // A zone ("fe80::1%eth0") means something on one machine only.
  if (rest.length > 0 || isIP(whole) === 0 || whole.includes("%")) return null;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(whole)?.[1];
  const address = mapped ?? whole;
  const width = isIP(address) === 4 ? 32 : 128;
  if (bitsText !== undefined && !/^\d{1,3}$/.test(bitsText)) return null;
  const bits = bitsText === undefined ? width : Number(bitsText) - (mapped !== undefined ? 96 : 0);
  if (bits < 0 || bits > width) return null;
  return { address, bits, family: width === 32 ? "ipv4" : "ipv6" };
}

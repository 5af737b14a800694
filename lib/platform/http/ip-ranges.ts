import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** An address or a CIDR range. A single address has all bits. */
export interface IpRange {
  readonly address: IpAddress;
  readonly bits: number;
}

/** Azure answers its own machines at this public-looking address. ipaddr.js does not list it. */
const AZURE_PLATFORM = ipaddr.IPv4.parse("168.63.129.16");
/** The only part of IPv6 that is allocated for public use (RFC 4291, IANA IPv6 Global Unicast). */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];
/** NAT64 (RFC 6052): the last 32 bits are an IPv4 address, and packets reach that address. */
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("64:ff9b::"), 96];

/**
 * Parses an address in its usual text. An IPv4 address mapped into IPv6 becomes IPv4. Null for any other text: hex,
 * octal and short forms of IPv4 and addresses with a zone ("fe80::1%eth0"), which have a meaning on one machine only.
 */
function parseIpAddress(text: string): IpAddress | null {
  // node:net is strict. ipaddr.js alone accepts "0x7f.1" and "2130706433".
  return isIP(text) === 0 || text.includes("%") ? null : ipaddr.process(withoutDots(text));
}

/** Writes an IPv4 tail of an IPv6 address as hex groups. ipaddr.js parses "::8.8.8.8" as the mapped "::ffff:8.8.8.8". */
function withoutDots(text: string): string {
  const match = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  if (match === null) return text;
  const [a = 0, b = 0, c = 0, d = 0] = match.slice(2).map(Number);
  return `${match[1]}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** Parses an address or a CIDR range. A range of IPv4-mapped IPv6 addresses becomes IPv4. Null for any other text. */
export function parseIpRange(text: string): IpRange | null {
  const [addressText = "", bitsText, ...rest] = text.trim().split("/");
  const address = parseIpAddress(addressText);
  if (address === null || rest.length > 0) return null;
  const width = address.kind() === "ipv4" ? 32 : 128;
  if (bitsText === undefined) return { address, bits: width };
  if (!/^\d{1,3}$/.test(bitsText)) return null;
  const isMapped = width === 32 && isIP(addressText) === 6;
  const bits = Number(bitsText) - (isMapped ? 96 : 0);
  return bits < 0 || bits > width ? null : { address, bits };
}

/** Parses addresses and CIDR ranges. Throws RangeError if a text is neither. */
export function parseIpRanges(texts: readonly string[]): IpRange[] {
  return texts.map((text) => {
    const range = parseIpRange(text);
    if (range === null) throw new RangeError(`not an IP address or CIDR range: ${text}`);
    return range;
  });
}

/** True if one of the ranges contains the address. False if the text is not an address. */
export function isInRanges(ranges: readonly IpRange[], text: string): boolean {
  const address = parseIpAddress(text);
  return address !== null && ranges.some((range) => isInRange(address, range));
}

function isInRange(address: IpAddress, range: IpRange): boolean {
  if (address instanceof ipaddr.IPv4) {
    if (range.address instanceof ipaddr.IPv4) return address.match(range.address, range.bits);
    // An IPv6 range such as ::/0 can contain all IPv4-mapped addresses.
    return address.toIPv4MappedAddress().match(range.address, range.bits);
  }
  return range.address instanceof ipaddr.IPv6 && address.match(range.address, range.bits);
}

/**
 * True if the text is an address that can belong to a public server: global unicast and nothing else. False for private,
 * loopback, link-local (cloud metadata), shared, documentation, benchmarking, multicast and tunnel addresses. An IPv4
 * address inside an IPv6 address (mapped or NAT64) decides for it.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text);
  if (address === null) return false;
  if (address instanceof ipaddr.IPv4) return isPublicIpv4(address);
  if (address.match(NAT64)) return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.match(GLOBAL_UNICAST) && address.range() === "unicast";
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && address.toString() !== AZURE_PLATFORM.toString();
}

/**
 * The address in "1.2.3.4", "1.2.3.4:80", "[::1]:80" or "::ffff:1.2.3.4", without the port. An IPv4 address mapped into
 * IPv6 becomes IPv4. Null if the text has no address.
 */
export function stripPort(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  const version = isIP(bare);
  if (version === 0) return null;
  // A parsed IPv4 address has the same text, and parsing costs every request microseconds.
  if (version === 4) return bare;
  const address = parseIpAddress(bare);
  return address instanceof ipaddr.IPv4 ? address.toString() : bare;
}

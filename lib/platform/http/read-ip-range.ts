import { isIP } from "node:net";

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

import { BlockList, isIP } from "node:net";
import { parseIpRange } from "#lib/platform/http/ip-ranges.ts";

const lists = new WeakMap<readonly string[], BlockList>();

/**
 * The IP address of the client. This is the address of the socket, unless that is a trusted proxy. Then
 * X-Forwarded-For is read from right to left up to the first address that is not a trusted proxy. An IPv4
 * address written as IPv6 is returned as IPv4. `trusted`: addresses and CIDR ranges. Throws RangeError on
 * anything else.
 */
export function resolveClientAddress(
  socketAddress: string,
  forwardedFor: string | readonly string[] | null | undefined,
  trusted: readonly string[],
): string {
  let address = parseAddress(socketAddress) ?? socketAddress;
  const hops = [forwardedFor ?? []].flat().join(",").split(",");
  while (isTrusted(address, trusted)) {
    const hop = parseAddress(hops.pop() ?? "");
    // X-Forwarded-For has no further entry, or a malformed one. Entries left of it may be forged.
    if (hop === null) break;
    address = hop;
  }
  return address;
}

/** True if the socket address is a trusted proxy. Only then may its forwarding headers be used. */
export function isTrustedProxy(socketAddress: string, trusted: readonly string[]): boolean {
  return isTrusted(parseAddress(socketAddress) ?? socketAddress, trusted);
}

function isTrusted(address: string, trusted: readonly string[]): boolean {
  const version = isIP(address);
  if (version === 0) return false;
  let list = lists.get(trusted);
  if (list === undefined) {
    list = createBlockList(trusted);
    lists.set(trusted, list);
  }
  return list.check(address, version === 4 ? "ipv4" : "ipv6");
}

function createBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const range = parseIpRange(entry);
    if (range === null) throw new RangeError(`"${entry}" is not an IP address or CIDR range`);
    list.addSubnet(range.address, range.bits, range.family);
  }
  return list;
}

/**
 * Parses "1.2.3.4", "1.2.3.4:80", "[::1]:80" or "::ffff:1.2.3.4" to the bare address. null if it is not an
 * address.
 */
function parseAddress(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
  return isIP(bare) === 0 ? null : bare;
}

import { BlockList, isIP } from "node:net";
import { parseIpRange } from "#lib/platform/http/read-ip-range.ts";

const lists = new WeakMap<readonly string[], BlockList>();

/**
 * The address a request really comes from: the socket's, or what trusted proxies say in X-Forwarded-For, walked from
 * the right up to the first that is not one of them. IPv4 written as IPv6 is answered as IPv4.
 * `trusted`: addresses and CIDRs; throws RangeError on anything else.
 */
export function resolveClientAddress(
  socketAddress: string,
  forwardedFor: string | readonly string[] | null | undefined,
  trusted: readonly string[],
): string {
  let address = plainAddress(socketAddress) ?? socketAddress;
  const hops = [forwardedFor ?? []].flat().join(",").split(",");
  while (isTrusted(address, trusted)) {
    const hop = plainAddress(hops.pop() ?? "");
    // Nothing more is said, or nothing that can be read: what lies left of it may be forged.
    if (hop === null) break;
    address = hop;
  }
  return address;
}

/** Did a trusted proxy send it? Only then do its headers speak of the request. */
export function isTrustedProxy(socketAddress: string, trusted: readonly string[]): boolean {
  return isTrusted(plainAddress(socketAddress) ?? socketAddress, trusted);
}

function isTrusted(address: string, trusted: readonly string[]): boolean {
  const version = isIP(address);
  if (version === 0) return false;
  let list = lists.get(trusted);
  if (list === undefined) {
    list = blockList(trusted);
    lists.set(trusted, list);
  }
  return list.check(address, version === 4 ? "ipv4" : "ipv6");
}

function blockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const range = parseIpRange(entry);
    if (range === null) throw new RangeError(`not an address or CIDR: ${entry}`);
    list.addSubnet(range.address, range.bits, range.family);
  }
  return list;
}

/** "1.2.3.4", "1.2.3.4:80", "[::1]:80", "::ffff:1.2.3.4" → the bare address; null when it is none. */
function plainAddress(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
  return isIP(bare) === 0 ? null : bare;
}

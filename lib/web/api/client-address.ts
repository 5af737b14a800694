import type { RequestListener } from "node:http";
import { withClientAddress } from "#lib/platform/client-address.ts";
import { type IpRange, isInRanges, parseIpRanges, stripPort } from "#lib/platform/http/ip-ranges.ts";

/** Parsed once per configured list, because every request needs it. */
const parsedRanges = new WeakMap<readonly string[], readonly IpRange[]>();

/**
 * The address that a request comes from: the address of the socket, or the address that trusted proxies report in
 * X-Forwarded-For. The header is read from the right up to the first address that is not a trusted proxy. An IPv4
 * address mapped into IPv6 is returned as IPv4. `trusted` has addresses and CIDR ranges. Throws RangeError if one of
 * them is invalid.
 */
export function resolveClientAddress(
  socketAddress: string,
  forwardedFor: string | readonly string[] | null | undefined,
  trusted: readonly string[],
): string {
  let address = stripPort(socketAddress) ?? socketAddress;
  const hops = [forwardedFor ?? []].flat().join(",").split(",");
  while (isTrusted(address, trusted)) {
    const hop = stripPort(hops.pop() ?? "");
    // A missing or invalid address ends the walk: everything left of it can be forged.
    if (hop === null) break;
    address = hop;
  }
  return address;
}

/** True if a trusted proxy sent the request. Only then its headers can be believed. */
export function isTrustedProxy(socketAddress: string, trusted: readonly string[]): boolean {
  return isTrusted(stripPort(socketAddress) ?? socketAddress, trusted);
}

function isTrusted(address: string, trusted: readonly string[]): boolean {
  const ranges = parsedRanges.get(trusted) ?? parseIpRanges(trusted);
  parsedRanges.set(trusted, ranges);
  return ranges.length > 0 && isInRanges(ranges, address);
}

/** Lets everything that a request causes know the address of its client (lib/platform/client-address.ts). */
export function knowClients(listener: RequestListener, trustedProxies: readonly string[]): RequestListener {
  return (request, response) => {
    const { socket, headers } = request;
    const forwarded = headers["x-forwarded-for"];
    const address = resolveClientAddress(socket.remoteAddress ?? "", forwarded, trustedProxies);
    withClientAddress(address, () => listener(request, response));
  };
}

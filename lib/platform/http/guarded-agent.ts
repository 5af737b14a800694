import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { isInRanges, isPublicAddress, parseIpRanges } from "./ip-ranges.ts";
import { isAllowedPort } from "./outward-url.ts";
import { openResolver, type ResolveHost } from "./resolve-host.ts";

/** Long enough for any peer that answers. */
const CONNECT_TIMEOUT_MS = 10_000;

/** A request that is blocked because of its destination. The message contains no address. */
class BlockedRequestError extends Error {
  readonly code: string;
  constructor(code: string) {
    super("the call is refused for where it leads");
    this.name = "RefusedCall";
    this.code = code;
  }
}

export interface GuardOptions {
  /** Addresses and CIDR ranges that are allowed although they are not public. */
  readonly allow: readonly string[];
  readonly resolve?: ResolveHost;
}

/**
 * The only way to call a URL that somebody else chose. It checks the IP address when it connects, so that no
 * name, spelling or changed DNS answer reaches our network. Redirects are answers and are never followed.
 * Errors have a `code`: "address_not_allowed" (one address of the name is enough) or "url_port_closed".
 */
export function openGuardedAgent({ allow, resolve = openResolver() }: GuardOptions): Dispatcher {
  const allowed = parseIpRanges(allow);
  const mayCall = (address: string) => isPublicAddress(address) || isInRanges(allowed, address);
  const lookup: LookupFunction = (name, options, done) => {
    resolve(name).then(
      (found) => {
        const refused = found.some(({ address }) => !mayCall(address));
        const [first] = found;
        if (refused || first === undefined) done(new BlockedRequestError("address_not_allowed"), "");
        else if (options.all) done(null, [...found]);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, ""),
    );
  };
  const refusal = ({ hostname, port }: buildConnector.Options) => {
    if (port !== "" && !isAllowedPort(Number(port))) return "url_port_closed";
    // An IP address in the URL needs no DNS lookup.
    return isIP(hostname) !== 0 && !mayCall(hostname) ? "address_not_allowed" : null;
  };
  const plain = buildConnector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false, lookup });
  const connect: buildConnector.connector = (options, done) => {
    const refused = refusal(options);
    if (refused !== null) {
      done(new BlockedRequestError(refused), null);
      return;
    }
    plain(options, (...result) => {
      const [error, socket] = result;
      if (error === null && !mayCall(socket.remoteAddress ?? "")) {
        socket.destroy();
        done(new BlockedRequestError("address_not_allowed"), null);
      } else done(...result);
    });
  };
  // One request per connection at a time, so that no request waits for the answer of another. HTTP/2 would
  // share one.
  return new Agent({ connect, allowH2: false, pipelining: 1 });
}

import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { isInRanges, isPublicAddress, parseIpRanges } from "./ip-ranges.ts";
import { isAllowedPort } from "./outward-url.ts";
import { openResolver, type ResolveHost } from "./resolve-host.ts";

/** To a peer that answers at all this is long. */
const CONNECT_TIMEOUT_MS = 10_000;

/** A call that is refused because of where it leads. Names no address. */
export class BlockedRequestError extends Error {
  readonly code: string;
  constructor(code: string) {
    super("the call is refused for where it leads");
    this.name = "RefusedCall";
    this.code = code;
  }
}

export interface GuardOptions {
  /** Addresses and CIDR ranges that may be called although they are not public. */
  readonly allow: readonly string[];
  readonly resolve?: ResolveHost;
}

/**
 * The one way to call a URL that somebody else chose. It looks at the address itself at the moment of connecting, so
 * that no name, no spelling and no second answer of a name server leads inside. Redirects are answers, never followed.
 * Errors have a `code`: "address_not_allowed" (one of a name's addresses is enough), "url_port_closed".
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
    // An address in the URL is looked up by nobody.
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
  // One request on a connection at a time: nobody waits behind another's answer. HTTP/2 would share one.
  return new Agent({ connect, allowH2: false, pipelining: 1 });
}

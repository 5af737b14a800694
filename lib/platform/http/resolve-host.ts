import { ADDRCONFIG, lookup } from "node:dns";
import { Resolver } from "node:dns/promises";

interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Every address of a name, at least one. Throws an error with a `code` if there is none. */
export type ResolveHost = (name: string) => Promise<readonly HostAddress[]>;

/** Timeout of one query to one name server. Each is queried twice. */
const TIMEOUT_MS = 2_000;
/** The share of node's four threads for such calls, which file access uses too. */
const SYSTEM_AT_ONCE = 2;

/**
 * Opens a resolver that queries name servers directly. A merchant's dead name server then delays no other
 * request. The system's lookup has only four threads; it resolves names without a dot and names of its hosts
 * file. `servers`: "address:port" instead of the system's.
 */
export function openResolver(servers?: readonly string[]): ResolveHost {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const bySystem = atMost(SYSTEM_AT_ONCE, systemLookup);
  return async (name) => {
    const host = name.replace(/\.$/, "");
    if (!host.includes(".")) return bySystem(host);
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [...asAddresses(v4, 4), ...asAddresses(v6, 6)];
    if (found.length > 0) return found;
    if (isTimeout(v4) || isTimeout(v6)) throw coded("ETIMEOUT");
    return bySystem(host);
  };
}

function asAddresses(result: PromiseSettledResult<string[]>, family: 4 | 6): HostAddress[] {
  return result.status === "rejected" ? [] : result.value.map((address) => ({ address, family }));
}

function isTimeout(result: PromiseSettledResult<unknown>): boolean {
  return result.status === "rejected" && result.reason?.code === "ETIMEOUT";
}

function coded(code: string): Error {
  return Object.assign(new Error("the name cannot be resolved"), { code });
}

function systemLookup(name: string): Promise<readonly HostAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(name, { all: true, hints: ADDRCONFIG }, (error, found) => {
      if (error !== null) reject(coded(error.code ?? "ENOTFOUND"));
      else resolve(found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 })));
    });
  });
}

/** Limits the concurrent calls of `work`. Further calls wait their turn. */
function atMost<A, R>(limit: number, work: (argument: A) => Promise<R>): (argument: A) => Promise<R> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (argument) => {
    if (running >= limit) await new Promise<void>((turn) => waiting.push(turn));
    else running += 1;
    try {
      return await work(argument);
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

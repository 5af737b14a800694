import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { WatchContext, WatchDeps } from "./types.ts";

/** What every step of watching this network works with. */
export function createWatchContext(
  { database, paymentLinks, log, now }: WatchDeps,
  adapter: NetworkAdapter,
): WatchContext {
  const { env, network } = adapter;
  return {
    env,
    network,
    adapter,
    database,
    paymentLinks,
    log: log.child({ env, network }),
    now: now ?? (() => new Date()),
  };
}

import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { Watch, WatchDeps } from "./types.ts";

/** What every step of watching this network works with. */
export function openWatch({ database, paymentLinks, log, now }: WatchDeps, adapter: NetworkAdapter): Watch {
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

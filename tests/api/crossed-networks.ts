import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { TestApi } from "#tests/support/api.ts";

/**
 * Networks whose test environment has the account key of live and therefore cannot derive addresses. Only a configuration
 * that is changed by hand can cause this.
 */
export function crossedNetworks({ services: { networks } }: TestApi): NetworkRegistry {
  const live = networks.find("live", "bep20")!;
  const crossed = { ...networks.find("test", "bep20")!, accountKey: live.accountKey };
  return { ...networks, find: (env) => (env === "live" ? live : crossed) };
}

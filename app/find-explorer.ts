import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Env, Explorer } from "#lib/chains/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";

/** Null for a private chain, and for a test network that is off: nobody knows its chain. */
export function findExplorer(networks: NetworkRegistry, env: Env, network: NetworkCode): Explorer | null {
  const adapter = networks.find(env, network);
  if (adapter !== null) return adapter.data.explorer[env];
  return env === "live" ? NETWORKS[network].explorer.live : null;
}

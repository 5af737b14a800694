import type { NetworkConfig } from "./network.ts";

/** The same network with one node only. The headers of its other nodes are left out. */
export function withOneNode(config: NetworkConfig, url: string): NetworkConfig {
  const headers = config.rpcHeaders?.[config.rpcUrls.indexOf(url)] ?? {};
  return { ...config, rpcUrls: [url], rpcHeaders: [headers] };
}

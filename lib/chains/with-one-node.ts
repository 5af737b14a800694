import type { NetworkConfig } from "./network.ts";

/**
 * The same network with only the node at this place of `rpcUrls`. The headers and second URLs of its other nodes are
 * left out. Not by URL: two plans of one provider differ in their headers only.
 */
export function withOneNode({ walletUrls, ...config }: NetworkConfig, place: number): NetworkConfig {
  const walletUrl = walletUrls?.[place];
  return {
    ...config,
    rpcUrls: config.rpcUrls.slice(place, place + 1),
    rpcHeaders: [config.rpcHeaders?.[place] ?? {}],
    ...(walletUrl !== undefined && { walletUrls: [walletUrl] }),
  };
}

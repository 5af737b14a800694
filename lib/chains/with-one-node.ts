import type { NetworkConfig } from "./network.ts";

/** The same network with one node only. The headers and second URLs of its other nodes are left out. */
export function withOneNode({ walletUrls, ...config }: NetworkConfig, url: string): NetworkConfig {
  const place = config.rpcUrls.indexOf(url);
  const walletUrl = walletUrls?.[place];
  return {
    ...config,
    rpcUrls: [url],
    rpcHeaders: [config.rpcHeaders?.[place] ?? {}],
    ...(walletUrl !== undefined && { walletUrls: [walletUrl] }),
  };
}

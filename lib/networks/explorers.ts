import type { Env } from "./network-data.ts";
import { type ALL_NETWORK_CODES, isNetworkCode, NETWORKS } from "./networks.ts";

type AnyNetwork = (typeof ALL_NETWORK_CODES)[number];

/** URL templates with {tx} and {address}. */
export interface Explorer {
  readonly tx: string;
  readonly address: string;
}

/** Of the networks that have no adapter yet; the others carry theirs in NETWORKS. */
const WITHOUT_ADAPTER: Readonly<
  Record<Exclude<AnyNetwork, keyof typeof NETWORKS>, Readonly<Record<Env, Explorer>>>
> = {
  solana: {
    live: { tx: "https://solscan.io/tx/{tx}", address: "https://solscan.io/account/{address}" },
    test: {
      tx: "https://solscan.io/tx/{tx}?cluster=devnet",
      address: "https://solscan.io/account/{address}?cluster=devnet",
    },
  },
};

/** Where people look a network's transactions and addresses up. */
export function explorerOf(network: AnyNetwork, env: Env): Explorer {
  return isNetworkCode(network) ? NETWORKS[network].explorer[env] : WITHOUT_ADAPTER[network][env];
}

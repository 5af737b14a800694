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
  erc20: {
    live: { tx: "https://etherscan.io/tx/{tx}", address: "https://etherscan.io/address/{address}" },
    test: {
      tx: "https://sepolia.etherscan.io/tx/{tx}",
      address: "https://sepolia.etherscan.io/address/{address}",
    },
  },
  xrp: {
    live: {
      tx: "https://livenet.xrpl.org/transactions/{tx}",
      address: "https://livenet.xrpl.org/accounts/{address}",
    },
    test: {
      tx: "https://testnet.xrpl.org/transactions/{tx}",
      address: "https://testnet.xrpl.org/accounts/{address}",
    },
  },
  base: {
    live: { tx: "https://basescan.org/tx/{tx}", address: "https://basescan.org/address/{address}" },
    test: {
      tx: "https://sepolia.basescan.org/tx/{tx}",
      address: "https://sepolia.basescan.org/address/{address}",
    },
  },
  litecoin: {
    live: {
      tx: "https://litecoinspace.org/tx/{tx}",
      address: "https://litecoinspace.org/address/{address}",
    },
    test: {
      tx: "https://litecoinspace.org/testnet/tx/{tx}",
      address: "https://litecoinspace.org/testnet/address/{address}",
    },
  },
  dogecoin: {
    live: {
      tx: "https://blockchair.com/dogecoin/transaction/{tx}",
      address: "https://blockchair.com/dogecoin/address/{address}",
    },
    test: {
      tx: "https://sochain.com/tx/DOGETEST/{tx}",
      address: "https://sochain.com/address/DOGETEST/{address}",
    },
  },
};

/** Where people look a network's transactions and addresses up. */
export function explorerOf(network: AnyNetwork, env: Env): Explorer {
  return isNetworkCode(network) ? NETWORKS[network].explorer[env] : WITHOUT_ADAPTER[network][env];
}

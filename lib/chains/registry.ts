import type { Logger } from "pino";
import { openEvmAdapter } from "./evm/evm-adapter.ts";
import type { NetworkAdapter, NetworkConfig, NetworkRegistry } from "./network.ts";
import type { NetworkData, NetworkFamily } from "./network-data.ts";
import { NETWORKS } from "./networks.ts";
import { openSolanaAdapter } from "./solana/solana-adapter.ts";
import { openTronAdapter } from "./tron/tron-adapter.ts";
import { openUtxoAdapter } from "./utxo/utxo-adapter.ts";
import { openXrpAdapter } from "./xrp/xrp-adapter.ts";

type OpenAdapter = (config: NetworkConfig, data: NetworkData, log: Logger) => NetworkAdapter;

/** One line per family. */
const FAMILIES: Partial<Record<NetworkFamily, OpenAdapter>> = {
  evm: openEvmAdapter,
  utxo: openUtxoAdapter,
  tron: openTronAdapter,
  xrp: openXrpAdapter,
  solana: openSolanaAdapter,
};

/** The adapters of the networks that are configured. Asks no node anything. Throws on a network without an adapter. */
export function openNetworks(configs: readonly NetworkConfig[], log: Logger): NetworkRegistry {
  const adapters = configs.map((config) => {
    const data: NetworkData = NETWORKS[config.network];
    const open = FAMILIES[data.family];
    if (!open) throw new Error(`${config.network} has no adapter`);
    log.info({ env: config.env, network: config.network, nodes: config.rpcUrls.length }, "network is on");
    return open(config, withOverrides(data, config), log);
  });
  return {
    find: (env, network) => adapters.find((a) => a.env === env && a.network === network) ?? null,
    list: (env) => adapters.filter((adapter) => adapter.env === env),
    all: () => adapters,
  };
}

/**
 * The registry's data with what a development chain replaces. One that is given any contract has no other: those of
 * the public network are not on it.
 */
function withOverrides(data: NetworkData, { env, chainId, contracts }: NetworkConfig): NetworkData {
  const given = new Map<string, string>(Object.entries(contracts));
  const tokens = Object.entries(data.tokens).map(([code, token]) =>
    given.size === 0 || token.contract === null
      ? [code, token]
      : [code, { ...token, contract: { ...token.contract, [env]: given.get(code) ?? null } }],
  );
  return {
    ...data,
    chainId: chainId === null || data.chainId === null ? data.chainId : { ...data.chainId, [env]: chainId },
    tokens: Object.fromEntries(tokens),
  };
}

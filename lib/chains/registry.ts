import { openEvmAdapter } from "./evm/evm-adapter.ts";
import { getFamily } from "./families.ts";
import type { AdapterTools, NetworkAdapter, NetworkConfig, NetworkRegistry } from "./network.ts";
import type { Explorer, NetworkData, NetworkFamily } from "./network-data.ts";
import { NETWORKS } from "./networks.ts";
import { openSolanaAdapter } from "./solana/solana-adapter.ts";
import { openTronAdapter } from "./tron/tron-adapter.ts";
import { openUtxoAdapter } from "./utxo/utxo-adapter.ts";
import { openXrpAdapter } from "./xrp/xrp-adapter.ts";

/** Not part of the family descriptors: adapters do I/O, and only this file may open them. */
const ADAPTERS: Readonly<
  Record<NetworkFamily, (config: NetworkConfig, data: NetworkData, tools: AdapterTools) => NetworkAdapter>
> = {
  utxo: openUtxoAdapter,
  evm: openEvmAdapter,
  tron: openTronAdapter,
  solana: openSolanaAdapter,
  xrp: openXrpAdapter,
};

/** Opens the adapters of the configured networks. Sends no request. */
export function openNetworks(configs: readonly NetworkConfig[], tools: AdapterTools = {}): NetworkRegistry {
  const adapters = configs.map((config) => {
    const { env, network } = config;
    const data = getConfiguredData(config);
    tools.log?.info({ env, network, nodes: config.rpcUrls.length }, "network is on");
    return ADAPTERS[data.family](config, data, tools);
  });
  return {
    find: (env, network) => adapters.find((a) => a.env === env && a.network === network) ?? null,
    list: (env) => adapters.filter((adapter) => adapter.env === env),
    all: () => adapters,
  };
}

/** The longest pause on a development chain: nobody counts its node's requests, and people wait for what they try out. */
const DEVELOPMENT_POLL_MS = 1_000;

/**
 * Returns the network's data with its pace, the explorer of the configured chain, the configured
 * confirmations and tokens, and the chain id and contracts of a development chain. If any contract is configured, or
 * another test chain than the default one, the public network's contracts are dropped: they do not exist on that chain.
 */
export function getConfiguredData(config: NetworkConfig): NetworkData {
  const data: NetworkData = NETWORKS[config.network];
  const { env, chainId, contracts, confirmations, tokens: receivedTokens, idleSeconds = 0 } = config;
  const given = new Map<string, string>(Object.entries(contracts));
  const chain = config.chain ?? null;
  const isOtherChain = chain !== null && chain !== getFamily(data).listTestChains(data)[0];
  const tokens = Object.entries(data.tokens).map(([code, token]) =>
    (given.size === 0 && !isOtherChain) || token.contract === null
      ? [code, token]
      : [code, { ...token, contract: { ...token.contract, [env]: given.get(code) ?? null } }],
  );
  const isDevelopment = isDevelopmentChain(data, config);
  const { rhythm, ...rest } = data;
  return {
    ...rest,
    ...(rhythm === undefined || isDevelopment ? {} : { rhythm }),
    pollMs: isDevelopment ? Math.min(DEVELOPMENT_POLL_MS, data.pollMs) : data.pollMs,
    idleMs: idleSeconds * 1_000,
    chainId: chainId === null || data.chainId === null ? data.chainId : { ...data.chainId, [env]: chainId },
    tokens: Object.fromEntries(tokens),
    ...(receivedTokens === undefined ? {} : { receivedTokens }),
    finality: confirmations === undefined ? data.finality : { kind: "confirmations", tiers: confirmations },
    explorer: { ...data.explorer, [env]: chooseExplorer(data, config) },
    isDevelopment,
  };
}

/** Chains with a name say so by it. On the others only development chains have an id that is not public, or contracts of their own. */
function isDevelopmentChain(data: NetworkData, { chain, chainId, contracts }: NetworkConfig): boolean {
  if (getFamily(data).listTestChains(data).length > 0) return chain === "regtest" || chain === "development";
  const publicIds = [null, data.chainId?.test, ...(data.otherTestChains ?? [])];
  return !publicIds.includes(chainId) || Object.keys(contracts).length > 0;
}

/**
 * The explorer of the configured chain. Null for a chain that no public explorer shows: a development chain, or a test
 * chain other than the default that has no explorer of its own.
 */
export function chooseExplorer(
  data: NetworkData,
  { env, chain, chainId, contracts }: Pick<NetworkConfig, "env" | "chain" | "chainId" | "contracts">,
): Explorer | null {
  const { live, test } = data.explorer;
  if (env === "live") return live;
  const [standard] = getFamily(data).listTestChains(data);
  if (standard === undefined) {
    const isReplaced = chainId !== null && chainId !== data.chainId?.test;
    return isReplaced || Object.keys(contracts).length > 0 ? null : test;
  }
  if (!chain || chain === standard) return test;
  return data.utxo?.test.find(({ name }) => name === chain)?.explorer ?? null;
}

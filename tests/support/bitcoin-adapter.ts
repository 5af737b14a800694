import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import type { AddressFilter } from "#lib/chains/blocks.ts";
import type { NetworkAdapter, NetworkConfig, NetworkRegistry } from "#lib/chains/network.ts";
import { getAccountPath, type NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { openUtxoAdapter } from "#lib/chains/utxo/utxo-adapter.ts";
import "./derive-once.ts";
import { watchLog } from "./kept-logs.ts";

const ROOT = HDKey.fromMasterSeed(
  mnemonicToSeedSync("legal winner thank year wave sausage worth useful legal winner thank yellow"),
);
export const BITCOIN_ACCOUNT_KEY = ROOT.derive("m/84'/1'/0'").publicExtendedKey;
const OPTIONAL = { zmqUrl: null, chain: "regtest", chainId: null, contracts: {} } as const;
const log = watchLog();

/** The test environment's bitcoin on regtest, over these nodes. */
export function bitcoinNetwork(...rpcUrls: string[]): NetworkRegistry {
  return registryOf(bitcoinAdapter(rpcUrls));
}

/** The test environment's network with this data on its chain named regtest, over these nodes. */
export function utxoNetwork(
  data: NetworkData,
  urls: string | readonly string[],
  changes: Partial<NetworkConfig> = {},
): NetworkRegistry {
  const rpcUrls = [urls].flat();
  const accountKey = ROOT.derive(`m/${getAccountPath(data, "test")}`).publicExtendedKey;
  const network = data.code as NetworkCode;
  return registryOf(
    openUtxoAdapter({ env: "test", network, rpcUrls, accountKey, ...OPTIONAL, ...changes }, data, { log }),
  );
}

function registryOf(adapter: NetworkAdapter): NetworkRegistry {
  return { find: () => adapter, list: () => [adapter], all: () => [adapter] };
}

/** The adapter of the test environment on regtest, over these nodes. */
export function bitcoinAdapter(
  rpcUrls: string | readonly string[],
  changes: Partial<NetworkConfig> = {},
): NetworkAdapter {
  const config: NetworkConfig = {
    env: "test",
    network: "bitcoin",
    rpcUrls: [rpcUrls].flat(),
    accountKey: BITCOIN_ACCOUNT_KEY,
    ...OPTIONAL,
    ...changes,
  };
  return openUtxoAdapter(config, NETWORKS.bitcoin, { log });
}

/** A filter that owns these addresses and records what it was asked. */
export function owning(...addresses: string[]): AddressFilter & { readonly asked: (readonly string[])[] } {
  const owned = new Set(addresses);
  const asked: (readonly string[])[] = [];
  const filter = async (candidates: readonly string[]) => {
    asked.push(candidates);
    return new Set(candidates.filter((address) => owned.has(address)));
  };
  return Object.assign(filter, { asked });
}

import type { TestContext } from "node:test";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { type Hex, isAddressEqual, type LocalAccount, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { EvmNetwork } from "#lib/chains/evm/family.ts";
import type { NetworkConfig, NetworkRegistry } from "#lib/chains/network.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { height, mine, startTestChain, USDT_ADDRESS } from "./anvil.ts";
import { turnAll } from "./stepped-clock.ts";
import { log, openWatchedNetwork, polledOften } from "./watched-network.ts";

export { LINK_SETTINGS, log } from "./watched-network.ts";

export const USDT = 10n ** 18n;
export const ROOT = HDKey.fromMasterSeed(
  mnemonicToSeedSync("legal winner thank year wave sausage worth useful legal winner thank yellow"),
);
export const ACCOUNT_KEY = ROOT.derive("m/44'/60'/0'").publicExtendedKey;

/** Indexes of addresses that tests use: those of the watcher's database, and those of the contract suite. */
const USED = [0, 10_000].flatMap((first) => Array.from({ length: 200 }, (_, i) => first + i));

/** The key of one of our addresses. */
export function keyOf(address: string): LocalAccount {
  const chain = ROOT.derive("m/44'/60'/0'/0");
  for (const index of USED) {
    const { privateKey } = chain.deriveChild(index);
    const account = privateKeyToAccount(toHex(privateKey as Uint8Array));
    if (isAddressEqual(account.address, address as Hex)) return account;
  }
  throw new Error(`${address} is not one of our addresses`);
}

/** An EVM network of the test environment, on these nodes. */
export function evmNetwork(
  network: EvmNetwork,
  rpcUrls: readonly string[],
  contracts: NetworkConfig["contracts"],
  changes: Partial<NetworkConfig> = {},
): NetworkRegistry {
  // Named although it is the test chain's: so it is a development chain, on which no block is overdue.
  const chainId = NETWORKS[network].chainId.test;
  const given = { rpcUrls, accountKey: ACCOUNT_KEY, contracts, ...changes };
  return openNetworks([{ env: "test", network, zmqUrl: null, chainId, ...given }], { log });
}

/** The test environment's bep20, on these nodes. */
export function bep20(...rpcUrls: string[]): NetworkRegistry {
  return evmNetwork("bep20", rpcUrls, { usdt: USDT_ADDRESS });
}

/** The same with fast watchers. */
export function bep20Often(...rpcUrls: string[]): NetworkRegistry {
  return polledOften(bep20(...rpcUrls));
}

export type WatchedChain = Awaited<ReturnType<typeof openWatchedChain>>;

/** A node that is mined by hand, a database and two merchants, until the test ends. Watchers start with watch(). */
export async function openWatchedChain(t: TestContext) {
  const node = await startTestChain();
  const pair = { network: "bep20", token: "usdt" } as const;
  const watched = await openWatchedNetwork(bep20(node.url), pair, "usdt/usd=1");
  t.after(async () => {
    await watched.close();
    await node.stop();
  });
  return {
    ...watched,
    url: node.url,
    /** Lets the watcher make a pass, and more until it has read the node's newest block without an error. */
    caughtUp: async () => {
      const head = await height(node.url);
      await turnAll();
      return watched.untilReadTo(head);
    },
    mine: (blocks = 1) => mine(node.url, blocks),
  };
}

import type { Env } from "../network-data.ts";
import type { NetworkCode } from "../networks.ts";

/** One chain of a UTXO network: the real one, a public test chain, or a private one. */
export interface UtxoChain {
  readonly name: string;
  /** Hash of block 0: what a node is recognised by. */
  readonly genesis: string;
  /** Human-readable part of segwit addresses (BIP173). */
  readonly hrp: string;
  /** Version bytes of base58 addresses. */
  readonly pubKeyHash: number;
  readonly scriptHash: number;
}

/** What one network of the family differs by from another. */
export interface UtxoNetwork {
  /** Scheme of payment URIs (BIP21). */
  readonly uriScheme: string;
  /** Confirmations before the output of a coinbase can be spent. */
  readonly coinbaseMaturity: number;
  /** Lowest fee ever proposed, satoshis per virtual byte: a young chain has no estimate. */
  readonly feeFloor: number;
  readonly live: UtxoChain;
  /** The first is the one a test environment is on unless told otherwise. */
  readonly test: readonly [UtxoChain, ...UtxoChain[]];
}

const BITCOIN_TEST = { hrp: "tb", pubKeyHash: 0x6f, scriptHash: 0xc4 };

const BITCOIN: UtxoNetwork = {
  uriScheme: "bitcoin",
  coinbaseMaturity: 100,
  feeFloor: 1,
  live: {
    name: "main",
    genesis: "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
    hrp: "bc",
    pubKeyHash: 0x00,
    scriptHash: 0x05,
  },
  test: [
    {
      name: "testnet4",
      genesis: "00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043",
      ...BITCOIN_TEST,
    },
    {
      name: "testnet3",
      genesis: "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943",
      ...BITCOIN_TEST,
    },
    {
      name: "signet",
      genesis: "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6",
      ...BITCOIN_TEST,
    },
    {
      name: "regtest",
      genesis: "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206",
      ...BITCOIN_TEST,
      hrp: "bcrt",
    },
  ],
};

const UTXO_NETWORKS: Partial<Record<NetworkCode, UtxoNetwork>> = { bitcoin: BITCOIN };

/** The family's data of a network. Throws when it has none. */
export function utxoNetwork(network: NetworkCode): UtxoNetwork {
  const found = UTXO_NETWORKS[network];
  if (!found) throw new Error(`${network} is no UTXO network`);
  return found;
}

/** Names of the chains that a test environment may be on, the default first; none outside this family. */
export function testChainNames(network: NetworkCode): readonly string[] {
  return UTXO_NETWORKS[network]?.test.map(({ name }) => name) ?? [];
}

/** Name of the chain whose block 0 has this hash, for messages; null when it is none of the network's. */
export function chainByGenesis({ live, test }: UtxoNetwork, genesis: string): UtxoChain | null {
  return [live, ...test].find((chain) => chain.genesis === genesis) ?? null;
}

/** The chain of an environment: live has one; test is `name`, or its default. Throws on a name that is not known. */
export function chooseChain({ live, test }: UtxoNetwork, env: Env, name: string | null): UtxoChain {
  if (env === "live") {
    if (name !== null && name !== live.name) throw new Error(`the live chain is ${live.name}, not ${name}`);
    return live;
  }
  const chain = name === null ? test[0] : test.find((candidate) => candidate.name === name);
  if (!chain) throw new Error(`${name} is no test chain`);
  return chain;
}

import type { Env, NetworkData } from "../network-data.ts";

/** One chain of a UTXO network: the real one, a public test chain, or a private one. */
export interface UtxoChain {
  readonly name: string;
  /** Hash of block 0: what a node is recognised by. */
  readonly genesis: string;
  /** Human-readable part of segwit addresses (BIP173); null where the chain has none. */
  readonly hrp: string | null;
  /** Version byte of base58 addresses that name a key. */
  readonly pubKeyHash: number;
  /** Those of addresses that name a script: the first is the one written, all are read. */
  readonly scriptHashes: readonly [number, ...number[]];
}

/** What one network of the family differs by from another. */
export interface UtxoData {
  /** Scheme of payment URIs (BIP21). */
  readonly uriScheme: string;
  /** Scripts that our coins are locked with: P2WPKH (BIP141) below a BIP84 key, P2PKH below a BIP44 one. */
  readonly script: "p2wpkh" | "p2pkh";
  /** First letters of the account public keys that wallets show for such a path (see derive-address.ts). */
  readonly accountKeys: Readonly<Record<Env, readonly string[]>>;
  /** What blocks hold beside header and transactions: merged mining's proof (AuxPoW), an extension block (MWEB). */
  readonly blockExtra?: "auxpow" | "mweb";
  /** Confirmations before the output of a coinbase can be spent. */
  readonly coinbaseMaturity: number;
  /** Virtual bytes of a payment from one coin of ours to an address of the same kind, with change. */
  readonly paymentBytes: number;
  /** Lowest fee ever proposed, satoshis per virtual byte: a young chain has no estimate. */
  readonly feeFloor: number;
  readonly live: UtxoChain;
  /** The first is the one a test environment is on unless told otherwise. */
  readonly test: readonly [UtxoChain, ...UtxoChain[]];
}

/** The family's part of a network's data. Throws when it has none. */
export function getUtxoData({ code, utxo }: NetworkData): UtxoData {
  if (!utxo) throw new Error(`${code} is no UTXO network`);
  return utxo;
}

/** The chain whose block 0 has this hash, for messages; null when it is none of the network's. */
export function findChainByGenesis({ live, test }: UtxoData, genesis: string): UtxoChain | null {
  return [live, ...test].find((chain) => chain.genesis === genesis) ?? null;
}

/** The chain of an environment: live has one; test is `name`, or its default. Throws on a name that is not known. */
export function getUtxoChain({ live, test }: UtxoData, env: Env, name: string | null): UtxoChain {
  if (env === "live") {
    if (name !== null && name !== live.name) throw new Error(`the live chain is ${live.name}, not ${name}`);
    return live;
  }
  const chain = name === null ? test[0] : test.find((candidate) => candidate.name === name);
  if (!chain) throw new Error(`${name} is no test chain`);
  return chain;
}

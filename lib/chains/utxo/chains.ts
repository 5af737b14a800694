import type { Env, Explorer, NetworkData } from "../network-data.ts";

/** One chain of a UTXO network: main, public test or private. */
export interface UtxoChain {
  readonly name: string;
  /** Hash of block 0. It identifies the chain of a node. */
  readonly genesis: string;
  /** Human-readable part of segwit addresses (BIP173). Null where the chain has none. */
  readonly hrp: string | null;
  /** Version byte of base58 addresses of a key. */
  readonly pubKeyHash: number;
  /** Version bytes of base58 addresses of a script. The first is written, all are read. */
  readonly scriptHashes: readonly [number, ...number[]];
  /** Of a public test chain that is not the default. */
  readonly explorer?: Explorer;
}

/** What differs between networks of the family. */
export interface UtxoData {
  /** Scheme of payment URIs (BIP21). */
  readonly uriScheme: string;
  /** The script of our addresses: P2WPKH (BIP141) below a BIP84 key, P2PKH below a BIP44 key. */
  readonly script: "p2wpkh" | "p2pkh";
  /** First letters of the account public keys that wallets show for that path (see derive-address.ts). */
  readonly accountKeys: Readonly<Record<Env, readonly string[]>>;
  /** Additional parts of blocks: the proof of merged mining (AuxPoW), an extension block (MWEB). */
  readonly blockExtra?: "auxpow" | "mweb";
  /** Confirmations before the output of a coinbase can be spent. */
  readonly coinbaseMaturity: number;
  /** Virtual bytes of a payment from one of our coins to an address of the same kind, with change. */
  readonly paymentBytes: number;
  /** Minimum fee proposed, in satoshis per virtual byte. A young chain has no estimate. */
  readonly feeFloor: number;
  /**
   * The smallest output that nodes relay by default. per1000: what a payer of so many satoshis for 1,000 bytes would pay to spend it (Core's
   * -dustrelayfee). fixed: satoshis, whatever its script.
   */
  readonly dust: { readonly per1000: number } | { readonly fixed: number };
  /** How the chain is read from Electrum servers. Absent: its headers cannot be checked. */
  readonly headers?: {
    readonly work: "sha256d" | "scrypt";
    /** Bits of the easiest target that is believed on the live chain. */
    readonly easiestBits: number;
    /** A server reports which histories a block changed this many milliseconds after its header (e-x: 1,000). */
    readonly settleMs: number;
    /** For tests. Absent: what a server with default limits allows (old-headers.ts). */
    readonly limits?: { readonly atOnce: number; readonly everyMs: number };
  };
  readonly live: UtxoChain;
  /** The first is the default of a test environment. */
  readonly test: readonly [UtxoChain, ...UtxoChain[]];
}

/** The family's part of a network's data. Throws when it has none. */
export function getUtxoData({ code, utxo }: NetworkData): UtxoData {
  if (!utxo) throw new Error(`${code} is no UTXO network`);
  return utxo;
}

/** The chain whose block 0 has this hash, for messages. Null: not a chain of the network. */
export function findChainByGenesis({ live, test }: UtxoData, genesis: string): UtxoChain | null {
  return [live, ...test].find((chain) => chain.genesis === genesis) ?? null;
}

/** The chain of an environment. Live has one. Test is `name`, or the default. Throws on an unknown name. */
export function getUtxoChain({ live, test }: UtxoData, env: Env, name: string | null): UtxoChain {
  if (env === "live") {
    if (name !== null && name !== live.name) throw new Error(`the live chain is ${live.name}, not ${name}`);
    return live;
  }
  const chain = name === null ? test[0] : test.find((candidate) => candidate.name === name);
  if (!chain) throw new Error(`${name} is no test chain`);
  return chain;
}

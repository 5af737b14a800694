import type { Fraction } from "#lib/platform/money/fraction.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

/**
 * The two environments of the service. A header of the request selects one (docs/decisions.md,
 * Authentication).
 */
export type Env = "live" | "test";
export const ENVS = ["live", "test"] as const satisfies readonly Env[];

export type NetworkFamily = "utxo" | "evm" | "tron" | "solana" | "xrp";

/**
 * When a payment is final: after a number of blocks, by the link's total in USD, or when the node reports
 * its block as final.
 */
export type Finality =
  | { readonly kind: "confirmations"; readonly tiers: readonly ConfirmationTier[] }
  | { readonly kind: "finalized" };

/** Blocks that a value of up to so many whole USD needs. Null: any value. */
export interface ConfirmationTier {
  readonly upToUsd: number | null;
  readonly blocks: number;
}

export interface NetworkToken {
  /** Decimals on this chain. Never more than the token's ledgerDecimals. */
  readonly decimals: number;
  /**
   * Null for the network's own coin. Otherwise the contract (or mint) per environment, in canonical form.
   * Null in an environment where the token is not received.
   */
  readonly contract: Readonly<Record<Env, string | null>> | null;
}

/** URL templates with {tx} and {address}. */
export interface Explorer {
  readonly tx: string;
  readonly address: string;
}

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
  /** The explorer of a public test chain that is not the default. */
  readonly explorer?: Explorer;
}

/** The differences between networks of the family. */
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

export interface NetworkData {
  readonly code: string;
  readonly family: NetworkFamily;
  /** For customers: "BNB Smart Chain (BEP20)". */
  readonly name: string;
  /** Checked against the node: EVM chain id, network id of the XRP Ledger. */
  readonly chainId: Readonly<Record<Env, number>> | null;
  /** Ids of public test chains besides that in `chainId`. A node of one is not a development chain. */
  readonly otherTestChains?: readonly number[];
  /**
   * Where addresses come from. Absent: they derive from an account public key. "tags": they are destination
   * tags of one account (XRP). "pool": the operator creates them offline and imports them, because ed25519
   * cannot derive them from a public key.
   */
  readonly addressSource?: "tags" | "pool";
  /** BIP44 path of the account key, without the leading m/. */
  readonly accountPath: string;
  /**
   * The account path in the test environment, where it differs: UTXO test chains have a coin type of their
   * own (SLIP-44).
   */
  readonly testAccountPath?: string;
  /** The network's own coin. Fees are paid in it. */
  readonly coin: TokenCode;
  readonly tokens: Readonly<Partial<Record<TokenCode, NetworkToken>>>;
  /** The part of a token's network fee that a transfer of the coin costs. Null: not known. Absent: as much. */
  readonly coinFeeShare?: Fraction | null;
  /** The tokens that the watcher looks for. Absent: all. Set by the configuration. */
  readonly receivedTokens?: readonly TokenCode[];
  readonly finality: Finality;
  /** Height of the chain's first block. Absent: 0. */
  readonly firstHeight?: number;
  /** A chain whose blocks come on demand, so that none is overdue. Set by the configuration. */
  readonly isDevelopment?: boolean;
  /** Mean seconds between blocks. For estimates that people read, and for when a block is overdue. */
  readonly blockSeconds: number;
  /**
   * Blocks until the network usually reports a block as final, for the same estimates. Null where
   * confirmations are counted.
   */
  readonly finalBlocks: number | null;
  /** Names of the network in wallets and exchanges, the most common first. */
  readonly walletNames: readonly string[];
  /** Milliseconds between two requests of the watcher for a new head. With a rhythm: where no block has come for a while. */
  readonly pollMs: number;
  /** The same while no payment is expected. Not more often than `pollMs`; absent: `pollMs`. Set by the configuration. */
  readonly idleMs?: number;
  /**
   * Each block is `blockSeconds` after the one before, by its own time, so the watcher asks when the next one is due (block-rhythm.ts): after each
   * that it finds `earlierMs` earlier. More of it costs more requests, and finds blocks sooner whose delay varies. Development chains have none.
   */
  readonly rhythm?: { readonly earlierMs: number };
  /** Blocks per scan while catching up. */
  readonly batchBlocks: number;
  /** The explorer of each environment's default chain. Null: an adapter's chain that no public explorer shows. */
  readonly explorer: Readonly<Record<Env, Explorer | null>>;
  /**
   * A public node of each environment's default chain, which a wallet is given when it does not know the chain (EIP-3085).
   * Never a node of the operator. Null: wallets know the chain.
   */
  readonly publicRpcUrl?: Readonly<Record<Env, string | null>>;
  /** Chains, addresses and blocks of a UTXO network. Absent on others. */
  readonly utxo?: UtxoData;
}

/** Returns the token's data on a network in an environment. Null when the network does not have the token there. */
export function findNetworkToken(data: NetworkData, env: Env, token: TokenCode): NetworkToken | null {
  const listed = data.tokens[token];
  const absent = listed === undefined || (listed.contract !== null && listed.contract[env] === null);
  return absent ? null : listed;
}

/** As findNetworkToken. Null also when the operator does not receive the token there. */
export function findReceivedToken(data: NetworkData, env: Env, token: TokenCode): NetworkToken | null {
  return isReceived(data, token) ? findNetworkToken(data, env, token) : null;
}

/** False when the operator's list of tokens leaves this one out. */
export function isReceived({ receivedTokens }: NetworkData, token: TokenCode): boolean {
  return receivedTokens?.includes(token) ?? true;
}

/** Account path of an environment, without the leading m/. */
export function getAccountPath(data: NetworkData, env: Env): string {
  return env === "test" ? (data.testAccountPath ?? data.accountPath) : data.accountPath;
}

import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { UtxoData } from "./utxo/chains.ts";

/** The two environments of the service; the key's header selects one (docs/decisions.md, Authentication). */
export type Env = "live" | "test";
export const ENVS = ["live", "test"] as const satisfies readonly Env[];

export type NetworkFamily = "utxo" | "evm" | "tron" | "solana" | "xrp";

/** What makes a payment final: a number of blocks by the link's total in USD, or the node's own word. */
export type Finality =
  | {
      readonly kind: "confirmations";
      readonly tiers: readonly { readonly upToUsd: number | null; readonly blocks: number }[];
    }
  | { readonly kind: "finalized" };

export interface NetworkToken {
  /** Decimals on this chain; never more than the token's ledgerDecimals. */
  readonly decimals: number;
  /**
   * null: the network's own coin. Otherwise the contract (or mint) per environment, in the network's canonical form; null
   * where the token is not received in one of them.
   */
  readonly contract: Readonly<Record<Env, string | null>> | null;
}

export interface NetworkData {
  readonly code: string;
  readonly family: NetworkFamily;
  /** What a customer reads: "BNB Smart Chain (BEP20)". */
  readonly name: string;
  /** Identity checked against the node: EVM chain id, network id of the XRP Ledger. */
  readonly chainId: Readonly<Record<Env, number>> | null;
  /**
   * Where addresses come from: below an account public key (absent); out of one account, with a destination tag each
   * (XRP); or out of a pool of ready ones that the operator made offline and imported, where a public key derives no
   * others (ed25519).
   */
  readonly addressSource?: "tags" | "pool";
  /** BIP44 account path without the leading m/: the public key handed to the service stands at this path. */
  readonly accountPath: string;
  /** Where the test environment's stands when that is elsewhere: UTXO test chains have a coin type of their own (SLIP-44). */
  readonly testAccountPath?: string;
  /** The network's own coin, which its fees are paid in. */
  readonly coin: TokenCode;
  readonly tokens: Readonly<Partial<Record<TokenCode, NetworkToken>>>;
  readonly finality: Finality;
  /** Mean seconds between blocks, for estimates shown to people only. */
  readonly blockSeconds: number;
  /** Blocks until the network usually calls one final, for the same estimates; null where blocks are counted. */
  readonly finalBlocks: number | null;
  /** What wallets and exchanges call the network, the commonest first. */
  readonly walletNames: readonly string[];
  /** How its live addresses begin. */
  readonly addressPrefix: string;
  /** How often the watcher asks for a new head, milliseconds. */
  readonly pollMs: number;
  /** Blocks asked for in one scan while catching up. */
  readonly batchBlocks: number;
  /** URL templates with {tx} and {address}. */
  readonly explorer: Readonly<Record<Env, { readonly tx: string; readonly address: string }>>;
  /** Chains, addresses and blocks of a UTXO network; no other has it. */
  readonly utxo?: UtxoData;
}

/** A token as a network has it in an environment; null: it is not received there, for want of a contract or at all. */
export function findNetworkToken(data: NetworkData, env: Env, token: TokenCode): NetworkToken | null {
  const listed = data.tokens[token];
  const absent = listed === undefined || (listed.contract !== null && listed.contract[env] === null);
  return absent ? null : listed;
}

/** Account path of an environment, without the leading m/. */
export function getAccountPath(data: NetworkData, env: Env): string {
  return env === "test" ? (data.testAccountPath ?? data.accountPath) : data.accountPath;
}

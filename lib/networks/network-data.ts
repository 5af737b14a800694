import type { TokenCode } from "#lib/money/tokens.ts";

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
  /** null: the network's own coin. Otherwise the contract (or mint) per environment, in the network's canonical form. */
  readonly contract: Readonly<Record<Env, string | null>> | null;
}

export interface NetworkData {
  readonly code: string;
  readonly family: NetworkFamily;
  /** What a customer reads: "BNB Smart Chain (BEP20)". */
  readonly name: string;
  /** Identity checked against the node: EVM chain id. */
  readonly chainId: Readonly<Record<Env, number>> | null;
  /**
   * Where addresses come from: below an account public key (absent), or out of a pool of ready ones that the operator
   * made offline and imported, where a public key derives no others (ed25519).
   */
  readonly addressSource?: "pool";
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
  readonly addressStart: string;
  /** How often the watcher asks for a new head, milliseconds. */
  readonly pollMs: number;
  /** Blocks asked for in one scan while catching up. */
  readonly batchBlocks: number;
  /** URL templates with {tx} and {address}. */
  readonly explorer: Readonly<Record<Env, { readonly tx: string; readonly address: string }>>;
}

/** Account path of an environment, without the leading m/. */
export function accountPathOf(data: NetworkData, env: Env): string {
  return env === "test" ? (data.testAccountPath ?? data.accountPath) : data.accountPath;
}

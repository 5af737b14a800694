import type { ChainReader } from "../network.ts";
import type { RpcClient } from "../rpc-client.ts";

export interface SolanaAccount {
  readonly lamports: bigint;
  /** The program that it belongs to. */
  readonly owner: string;
  /** Its first bytes, as many as a token account needs for its amount. A stranger decides how many there are. */
  readonly data: Uint8Array;
  /** How many bytes of data it has. */
  readonly space: number;
  readonly executable: boolean;
}

/** A token account of an owner. `amount` is in the token's unit on this chain. */
export interface SolanaTokenAccount {
  readonly address: string;
  readonly amount: bigint;
  readonly lamports: bigint;
  /** The token's issuer froze it: nothing can leave it. */
  readonly isFrozen: boolean;
  /** Its owner may close it. A stranger who made it may have kept that right. */
  readonly closedByOwner: boolean;
}

/** The state that a node reports before a transaction is signed. */
export interface SolanaSendState {
  readonly blockhash: string;
  /** The last block height at which the blockhash can be used. */
  readonly lastValidBlockHeight: number;
  /** In the order that they were asked for. Null if the account does not exist. */
  readonly accounts: readonly (SolanaAccount | null)[];
  /** Lamports that an account must hold. */
  readonly rent: { readonly empty: bigint; readonly tokenAccount: bigint };
  /** The price that three of four recent blocks accepted, in micro-lamports for a compute unit. */
  readonly unitPrice: bigint;
}

/** One node of a pool. */
export type SolanaNode = ChainReader & { readonly client: RpcClient };

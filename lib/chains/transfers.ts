import type { TokenCode } from "#lib/platform/money/tokens.ts";

/** Position of a native coin's movement that has no log. Shown as null. */
export const NO_POSITION = -1;

/** The first position of coins that contracts move, which have no log either. No block has as many logs. */
export const TRACE_POSITION = 1_000_000_000;

/** The position to show for a stored one. Null: it has none (NO_POSITION, TRACE_POSITION), or the transfer was replaced. */
export function displayPosition(position: number): number | null {
  return position < 0 || position >= TRACE_POSITION ? null : position;
}

/** One movement of a listed token to one of our addresses, as the chain reports it. */
export interface ChainTransfer {
  readonly txHash: string;
  /**
   * Output index on UTXO chains. Log index on chains with logs. Our own number on Solana
   * (solana/match-balances.ts). NO_POSITION otherwise: a transaction has at most one such movement.
   */
  readonly position: number;
  readonly token: TokenCode;
  /** Canonical form of the receiving address (see Addresses.canonicalize). */
  readonly address: string;
  readonly sender: string | null;
  /** Ledger units of the token, already converted from the chain's decimals. */
  readonly amount: bigint;
  /** Null while the transaction is only in the mempool. */
  readonly block: { readonly height: number; readonly hash: string; readonly time: Date } | null;
  /**
   * Outpoints spent ("txid:n"), all of the transaction, so that a replacement keeps the time when the payment was first
   * seen. Empty on account chains.
   */
  readonly spends: readonly string[];
  /**
   * Set when the transfer must not be credited automatically (another token, for example). It is recorded as
   * unmatched.
   */
  readonly unmatchedReason: string | null;
  /** The text that the payer attached, where the network has such a field: a destination tag (XRP). */
  readonly extra?: string;
  /** Never credited with fewer confirmations, whatever the tier says. Outputs of a coinbase need 100. */
  readonly minConfirmations?: number;
}

/** One movement, to one of our addresses, of a token that the network's data does not list. */
export interface UnlistedTransfer {
  readonly txHash: string;
  /** Log index. */
  readonly position: number;
  /**
   * Canonical form, like every address here. The contract's own name is never read: a contract can claim any
   * name.
   */
  readonly contract: string;
  readonly address: string;
  readonly sender: string | null;
  /** In the contract's own unit. */
  readonly rawAmount: bigint;
  readonly block: { readonly height: number; readonly hash: string };
}

/** Tokens that the network's data does not list. */
export interface UnlistedTokens {
  /**
   * Transfers of unlisted tokens to these canonical addresses (at most 1,000) in blocks from..to
   * (inclusive). The blocks must be final: their hashes are not compared. Throws NodeError("refused") where
   * even one block is too much for the node.
   */
  scan(
    range: { readonly from: number; readonly to: number },
    addresses: readonly string[],
  ): Promise<readonly UnlistedTransfer[]>;
}

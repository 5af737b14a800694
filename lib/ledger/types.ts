import type { TokenCode } from "#lib/money/tokens.ts";
import type { Env, NetworkCode } from "#lib/networks/networks.ts";

/**
 * docs/decisions.md, Ledger: custody mirrors the coins we hold, so it is minus what was deposited; only merchant and
 * reserved stay ≥ 0.
 */
export type AccountCode =
  | `custody:${NetworkCode}`
  | `merchant:${number}`
  | `reserved:${string}`
  | "fees"
  | "desk"
  | `unmatched:${NetworkCode}`
  | `receivable:${number}`;

/** A movement about to be posted: `amount` ledger units of `token`, above zero. */
export interface NewTransfer {
  readonly env: Env;
  readonly token: TokenCode;
  readonly from: AccountCode;
  readonly to: AccountCode;
  readonly amount: bigint;
  /** Names why it exists, once and for ever: "deposit:12:1". */
  readonly cause: string;
}

export interface AccountKey {
  readonly env: Env;
  readonly token: TokenCode;
  readonly code: AccountCode;
}

export interface Account extends AccountKey {
  readonly id: number;
  readonly balance: bigint;
}

export interface PostedTransfer extends NewTransfer {
  readonly id: number;
}

export type Posted =
  | { readonly posted: true; readonly id: number }
  | { readonly posted: false; readonly reason: "duplicate" | "insufficient_balance" };

/** A deposit's money, due to its merchant. */
export interface Credit {
  readonly env: Env;
  readonly token: TokenCode;
  readonly network: NetworkCode;
  /** null: nobody's yet, kept in unmatched:{network}. */
  readonly merchantId: number | null;
  /** Where the money stands so far; default custody. */
  readonly source?: "custody" | "unmatched";
  readonly amount: bigint;
  readonly cause: string;
}

import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { Rate } from "#lib/domain/rates/types.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

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
export interface NewLedgerTransfer {
  readonly env: Env;
  readonly token: TokenCode;
  readonly from: AccountCode;
  readonly to: AccountCode;
  readonly amount: bigint;
  /** Names why it exists, once and for ever: "deposit:12:1". */
  readonly cause: string;
}

export interface LedgerAccountRef {
  readonly env: Env;
  readonly token: TokenCode;
  readonly code: AccountCode;
}

export interface LedgerAccount extends LedgerAccountRef {
  readonly id: number;
  readonly balance: bigint;
}

export interface PostedLedgerTransfer extends NewLedgerTransfer {
  readonly id: number;
}

export type PostTransferResult =
  | { readonly posted: true; readonly id: number }
  | { readonly posted: false; readonly reason: "duplicate" | "insufficient_balance" };

/** A deposit's money, due to its merchant. */
export interface DepositCredit {
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

/** A movement that a rule refused: nothing was posted. */
export interface RefusedAttempt {
  readonly env: Env;
  readonly merchantId: number;
  readonly token: TokenCode;
  readonly direction: "credit" | "debit";
  /** Ledger units that were to move, above zero. */
  readonly amount: bigint;
  /** Ledger units that stood on the merchant's account of that token. */
  readonly balance: bigint;
  /** The reason's name, for people. */
  readonly reason: string;
}

/** A buy whose cost and fee are known (ledger units of USDT; `amount` of the token), about to be executed. */
export interface PricedBuy {
  readonly env: Env;
  readonly merchantId: number;
  readonly token: TokenCode;
  readonly amount: bigint;
  readonly cost: bigint;
  readonly fee: bigint;
  readonly rate: Rate;
  /** How much of the token the desk may owe, in whole USD. */
  readonly deskLimitUsd: number;
}

export interface PlacedBuy extends PricedBuy {
  readonly id: number;
}

/** One line of a merchant's history: a posting on its account (status 1) or a refused attempt (status 0). */
export interface HistoryEntry {
  /** Unique among entries of the same status. */
  readonly id: number;
  readonly status: 0 | 1;
  readonly direction: "credit" | "debit";
  readonly token: TokenCode;
  /** Ledger units, above zero, like the balances around it. */
  readonly amount: bigint;
  readonly balanceBefore: bigint;
  readonly balanceAfter: bigint;
  readonly createdAt: Date;
}

/** Which entries of a merchant's history; null: any. */
export interface HistoryFilter {
  readonly env: Env;
  readonly merchantId: number;
  readonly token: TokenCode | null;
  readonly direction: "credit" | "debit" | null;
  /** Lower bound, inclusive. */
  readonly since: Date | null;
  readonly status: 0 | 1 | null;
}

import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { Rate } from "#lib/domain/rates/types.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

/**
 * The codes of ledger accounts (docs/decisions.md, Ledger). The balance of custody is minus the coins that we hold.
 * Merchant and reserved accounts are never negative.
 */
export type AccountCode =
  | `custody:${NetworkCode}`
  | `merchant:${number}`
  | `reserved:${string}`
  | "fees"
  | "desk"
  | `unmatched:${NetworkCode}`
  | `costs:${NetworkCode}`
  | `receivable:${number}`;

/** A transfer between two accounts, before it is posted. `amount` is in ledger units of `token`, above zero. */
export interface NewLedgerTransfer {
  readonly env: Env;
  readonly token: TokenCode;
  readonly from: AccountCode;
  readonly to: AccountCode;
  readonly amount: bigint;
  /** Why the transfer exists: "deposit:12:1". Unique, so that nothing is posted twice. */
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

/** The value of a transfer for a merchant's statistics. */
export interface NewTransferValue {
  /** The cause of the transfer. */
  readonly cause: string;
  readonly env: Env;
  readonly merchantId: number;
  readonly direction: "credit" | "debit";
  /** In 10^-8 USD. Null if there is no price yet: the transfer is not in the totals until it is priced. */
  readonly usd: bigint | null;
  /** Where the price is from. Null without one. */
  readonly priceSource: string | null;
}

export type PostTransferResult =
  | { readonly posted: true; readonly id: number }
  | { readonly posted: false; readonly reason: "duplicate" | "insufficient_balance" };

/** A deposit to credit to its merchant. */
export interface DepositCredit {
  readonly env: Env;
  readonly token: TokenCode;
  readonly network: NetworkCode;
  /** Null if no merchant is known yet: the money goes to unmatched:{network}. */
  readonly merchantId: number | null;
  /** The account that the money comes from. Default: custody. */
  readonly source?: "custody" | "unmatched";
  readonly amount: bigint;
  readonly cause: string;
}

/** An attempt that a rule refused. Nothing was posted. */
export interface RefusedAttempt {
  readonly env: Env;
  readonly merchantId: number;
  readonly token: TokenCode;
  readonly direction: "credit" | "debit";
  /** Ledger units of the attempt, above zero. */
  readonly amount: bigint;
  /** The balance of the merchant's account of that token, in ledger units. */
  readonly balance: bigint;
  /** The code of the reason. */
  readonly reason: string;
}

/** A buy before execution. `amount` is in ledger units of the token, `cost` and `fee` in ledger units of USDT. */
export interface PricedBuy {
  readonly env: Env;
  readonly merchantId: number;
  readonly token: TokenCode;
  readonly amount: bigint;
  readonly cost: bigint;
  readonly fee: bigint;
  readonly rate: Rate;
  /** How much of the token the trading desk may owe, in whole USD. */
  readonly deskLimitUsd: number;
}

export interface PlacedBuy extends PricedBuy {
  readonly id: number;
}

/** An executed entry is a posting on the merchant's account. A refused one is an attempt that a rule refused. */
export type HistoryStatus = "executed" | "refused";

/** An entry of a merchant's history. */
export interface HistoryEntry {
  /** Unique among entries of the same status. */
  readonly id: number;
  readonly status: HistoryStatus;
  readonly direction: "credit" | "debit";
  readonly token: TokenCode;
  /** Ledger units, above zero. The balances are in ledger units too. */
  readonly amount: bigint;
  readonly balanceBefore: bigint;
  readonly balanceAfter: bigint;
  /** The cause of the transfer (readEntryCause). Null for a refused attempt. */
  readonly cause: string | null;
  readonly createdAt: Date;
}

/** Selects entries of a merchant's history. Null means any. */
export interface HistoryFilter {
  readonly env: Env;
  readonly merchantId: number;
  readonly token: TokenCode | null;
  readonly direction: "credit" | "debit" | null;
  /** The earliest time, inclusive. */
  readonly since: Date | null;
  readonly status: HistoryStatus | null;
}

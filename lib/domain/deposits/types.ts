import type { Logger } from "pino";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode, NetworkScope } from "#lib/chains/networks.ts";
import type { UnlistedTransfer } from "#lib/chains/transfers.ts";
import type { PaymentLinkDeps } from "#lib/domain/payment-links/types.ts";
import type { DepositStatus } from "#lib/domain/types.ts";
import type { WalletAddress } from "#lib/domain/wallets/types.ts";
import type { Clock } from "#lib/platform/clock.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { HintListener } from "./watch/listen-for-hints.ts";

/** The dependencies of the watchers of all networks. */
export interface WatchDeps extends Partial<Clock> {
  readonly database: Database;
  readonly networks: NetworkRegistry;
  readonly paymentLinks: PaymentLinkDeps;
  readonly log: Logger;
  /** Absent: nobody hints at payments. */
  readonly hints?: HintListener;
}

/** The context of every step of one watcher. */
export interface WatchContext extends NetworkScope, Clock {
  readonly adapter: NetworkAdapter;
  readonly database: Database;
  readonly paymentLinks: PaymentLinkDeps;
  readonly log: Logger;
}

export interface BlockRef {
  readonly height: number;
  readonly hash: string;
}

export interface TimedBlock extends BlockRef {
  readonly time: Date;
}

/**
 * Why a deposit is not credited automatically. Adapters may add reasons of their own.
 * - other_network: it arrived on another network than its address was allocated for.
 * - other_token: its payment link asks for another token.
 * - no_purpose: its address belongs to nothing.
 * - skipped_address: its address was skipped (skipAddresses).
 * - before_allocation: its block is older than the allocation of its address.
 * - unknown_token: the service does not list the token.
 */
export type UnmatchedReason =
  | "other_network"
  | "other_token"
  | "no_purpose"
  | "skipped_address"
  | "before_allocation"
  | "unknown_token";

/**
 * The purpose of an allocated address. Two purposes mean "nothing": `account` is the one address that all deposits of an
 * account share, and `skipped` comes from skipAddresses.
 */
export type AddressPurpose = WalletAddress["purpose"];

/** A transfer to one of our addresses as the chain reports it now, together with its owner. */
export interface TransferObservation {
  readonly txHash: string;
  readonly position: number;
  readonly token: TokenCode;
  readonly addressId: number;
  /** The owner of the address. Null: the address is unassigned (WalletAddress). */
  readonly merchantId: number | null;
  readonly amount: bigint;
  readonly sender: string | null;
  readonly spends: readonly string[];
  readonly unmatchedReason: string | null;
  /** See ChainTransfer. */
  readonly extra?: string;
  readonly minConfirmations?: number;
  /** The block is null while the transfer is only in the mempool. */
  readonly block: TimedBlock | null;
}

/** A transfer of an unlisted token to one of our addresses, together with its owner. */
export type UnlistedTransferObservation = Omit<UnlistedTransfer, "address"> & {
  readonly addressId: number;
  /** The owner of the address. Null: the address is unassigned (WalletAddress). */
  readonly merchantId: number | null;
};

/** The fields of a recorded deposit that a new observation can change. */
export interface RecordedDeposit {
  readonly id: number;
  readonly txHash: string;
  readonly position: number;
  readonly token: TokenCode;
  readonly addressId: number;
  readonly amount: bigint;
  readonly status: DepositStatus;
  readonly unmatchedReason: string | null;
  readonly creditRound: number;
  /** All outpoints of the transaction, at one of its deposits. Empty at the others. */
  readonly spends: readonly string[];
  readonly blockHeight: number | null;
  readonly blockHash: string | null;
}

/** Money at one of our addresses that no merchant was credited with. */
export interface UnmatchedDeposit {
  readonly id: number;
  /** The network that the money arrived on. */
  readonly network: NetworkCode;
  /** The network that the address was allocated for. */
  readonly addressNetwork: NetworkCode;
  /** Canonical, like `sender` and `contract`. */
  readonly address: string;
  readonly purpose: AddressPurpose;
  /** The owner of the address; null: the address is unassigned. */
  readonly merchantEmail: string | null;
  readonly customerEmail: string | null;
  /** The link that the address is for, with its customer and payment reference. null: it is for no link. */
  readonly payerEmail: string | null;
  readonly refid: string | null;
  readonly reference: string | null;
  readonly txHash: string;
  readonly position: number;
  readonly sender: string | null;
  /** See ChainTransfer. */
  readonly extra: string | null;
  /** The token of the transfer. Null: an unlisted token. Then `contract` identifies it. */
  readonly token: TokenCode | null;
  readonly contract: string | null;
  /** Ledger units of `token`. For an unlisted token: the unit that its contract counts in. */
  readonly amount: bigint;
  readonly reason: string;
  readonly status: Extract<DepositStatus, "seen" | "held">;
  /** The number is null for unlisted tokens: they are read in final blocks only. */
  readonly confirmations: number | null;
  readonly requiredConfirmations: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** One page of a list, newest first. */
export interface DepositPage {
  /** Only ids below this one; null: from the newest. */
  readonly before: number | null;
  readonly limit: number;
}

/** A deposit in a block that still needs confirmations. */
export interface PendingDeposit {
  readonly id: number;
  readonly blockHeight: number;
  readonly blockHash: string;
  readonly confirmations: number;
  readonly requiredConfirmations: number;
}

/** The merchant and environment whose deposits a query returns. */
export interface DepositOwner {
  readonly merchantId: number;
  readonly env: Env;
}

/** The statuses that endpoints 2 to 4 return. Held deposits are listed as unmatched instead. */
export type ListedDepositStatus = Exclude<DepositStatus, "held">;

/** A deposit with its merchant, address and customer. */
export interface DepositRow {
  readonly deposit: {
    readonly id: number;
    readonly env: Env;
    readonly network: NetworkCode;
    readonly token: TokenCode;
    readonly merchantId: number;
    readonly addressId: number;
    readonly txHash: string;
    readonly position: number;
    /** Ledger units of the token. */
    readonly amount: bigint;
    /** Canonical, like `address`. */
    readonly sender: string | null;
    readonly extra: string | null;
    readonly status: DepositStatus;
    readonly createdAt: Date;
    readonly updatedAt: Date;
    readonly deletedAt: Date | null;
  };
  readonly address: string;
  readonly purpose: AddressPurpose;
  readonly merchantEmail: string;
  readonly customerEmail: string | null;
  /** Everything that was credited to the address in this token so far, in ledger units. */
  readonly totalReceived: bigint;
}

import type { Logger } from "pino";
import type { NetworkAdapter, NetworkRegistry, UnlistedTransfer } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { PaymentLinkDeps } from "#lib/domain/payment-links/types.ts";
import type { WalletAddress } from "#lib/domain/wallets/types.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

export interface WatchDeps {
  readonly database: Database;
  readonly networks: NetworkRegistry;
  readonly paymentLinks: PaymentLinkDeps;
  readonly log: Logger;
  readonly now?: () => Date;
}

/** One network in one environment: what a watcher is responsible for. */
export interface NetworkScope {
  readonly env: Env;
  readonly network: NetworkCode;
}

/** What every step of one watcher works with. */
export interface WatchContext extends NetworkScope {
  readonly adapter: NetworkAdapter;
  readonly database: Database;
  readonly paymentLinks: PaymentLinkDeps;
  readonly log: Logger;
  now(): Date;
}

export interface BlockRef {
  readonly height: number;
  readonly hash: string;
}

export interface TimedBlock extends BlockRef {
  readonly time: Date;
}

/** 0 seen, 1 credited, 2 dropped, 3 held: confirmed and booked as unmatched, nobody's until a person resolves it. */
export type DepositStatus = 0 | 1 | 2 | 3;

/**
 * Why nothing credits money by itself: it came on another network than its address was given out for, in another token
 * than its payment link asks for, to an address that stands for nothing, to one that was skipped, or in a token that we
 * keep no books of. Adapters may have reasons of their own.
 */
export type UnmatchedReason =
  | "other_network"
  | "other_token"
  | "no_purpose"
  | "skipped_address"
  | "unknown_token";

/** What an address was given out for. For nothing: `account`, the one that all are of; `skipped`, see skipAddresses. */
export type AddressPurpose = WalletAddress["purpose"];

/** A movement to an address of ours as the chain tells it now, its owner known. */
export interface TransferObservation {
  readonly txHash: string;
  readonly position: number;
  readonly token: TokenCode;
  readonly addressId: number;
  /** null: nobody's (KnownAddress). */
  readonly merchantId: number | null;
  readonly amount: bigint;
  readonly sender: string | null;
  readonly spends: readonly string[];
  readonly unmatchedReason: string | null;
  /** See ChainTransfer. */
  readonly extra?: string;
  readonly minConfirmations?: number;
  /** null while only in the mempool. */
  readonly block: TimedBlock | null;
}

/** A transfer of a token that we keep no books of, to an address of ours, its owner known. */
export type UnlistedTransferObservation = Omit<UnlistedTransfer, "address"> & {
  readonly addressId: number;
  /** null: nobody's (KnownAddress). */
  readonly merchantId: number | null;
};

/** A deposit as recorded, as far as a new observation of it matters. */
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
  readonly spends: readonly string[];
  readonly blockHeight: number | null;
  readonly blockHash: string | null;
}

/** Money at an address of ours that nobody was credited with. */
export interface UnmatchedDeposit {
  readonly id: number;
  /** Where it is. */
  readonly network: NetworkCode;
  /** What the address was given out for. */
  readonly addressNetwork: NetworkCode;
  /** Canonical, like `sender` and `contract`. */
  readonly address: string;
  readonly purpose: AddressPurpose;
  /** Whose address it is; null: nobody's. */
  readonly merchantEmail: string | null;
  readonly customerEmail: string | null;
  readonly txHash: string;
  readonly position: number;
  readonly sender: string | null;
  /** See ChainTransfer. */
  readonly extra: string | null;
  /** null: a token that we keep no books of; then `contract` says which. */
  readonly token: TokenCode | null;
  readonly contract: string | null;
  /** Ledger units of `token`; else whatever unit the contract counts in. */
  readonly amount: bigint;
  readonly reason: string;
  /** 0: confirmations are missing; 3: held. */
  readonly status: 0 | 3;
  /** null where it was read in final blocks only. */
  readonly confirmations: number | null;
  readonly requiredConfirmations: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface UnmatchedPage {
  /** Only ids below; null: from the newest. */
  readonly before: number | null;
  readonly limit: number;
}

/** A deposit that waits for its confirmations. */
export interface PendingDeposit {
  readonly id: number;
  readonly blockHeight: number;
  readonly blockHash: string;
  readonly confirmations: number;
  readonly requiredConfirmations: number;
}

/** Whose deposits are asked for. */
export interface DepositOwner {
  readonly merchantId: number;
  readonly env: Env;
}

/** A status that endpoints 2 to 4 show: what is held is listed as unmatched. */
export type ListedDepositStatus = Exclude<DepositStatus, 3>;

/** A deposit with what its record says of merchant, address and customer. */
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
  /** All that is credited to the address in the token so far, ledger units. */
  readonly totalReceived: bigint;
}

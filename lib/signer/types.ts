import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

/** What the signer may send of one token on one network without asking. Amounts are in ledger units. */
export interface TokenPolicy {
  readonly perTransfer: bigint;
  /** Within any 24 hours. */
  readonly perDay: bigint;
  /** Within any 24 hours, for each merchant. null: only `perDay` limits it. */
  readonly perMerchantPerDay: bigint | null;
  /** Above it approvers must sign. */
  readonly autoUpTo: bigint;
  /** The only destinations, canonical. null: any. */
  readonly allowOnly: ReadonlySet<string> | null;
}

/** What the signer may do on one network. */
export interface NetworkPolicy {
  /** The most that it pays for a unit of gas, in wei. */
  readonly maxFeePerGas: bigint;
  readonly tokens: ReadonlyMap<TokenCode, TokenPolicy>;
}

/** The policy file of the signer's host. What is absent is forbidden. */
export interface Policy {
  /** By "test.bep20". */
  readonly networks: ReadonlyMap<string, NetworkPolicy>;
  readonly approvals: {
    readonly needed: number;
    /** Public keys (ed25519, 32 bytes of hex) by the approver's name. */
    readonly from: ReadonlyMap<string, string>;
  };
}

/** What a payout moves. `amount` is in ledger units, `to` canonical. */
export interface Payout {
  readonly env: Env;
  readonly network: NetworkCode;
  /** The withdrawal's reference. */
  readonly refid: string;
  readonly merchantId: number;
  readonly token: TokenCode;
  readonly amount: bigint;
  readonly to: string;
}

/** A signed transaction, as the journal keeps it. */
export interface JournalEntry extends Payout {
  readonly at: Date;
  /** payout: it pays the withdrawal. cancel: it uses the nonce of a payout that must not be sent any more. */
  readonly kind: "payout" | "cancel";
  /** The account that pays, canonical, and its sequence number. Only one transaction of a chain can use both. */
  readonly sender: string;
  readonly nonce: number;
  /** Canonical. */
  readonly hash: string;
  /** The signed bytes, as hex. */
  readonly raw: string;
}

/** Why a withdrawal waits. Nothing was signed for it. */
export type HoldReason =
  | "not_in_policy"
  | "above_per_transfer"
  | "above_per_day"
  | "above_per_merchant_per_day"
  | "destination_not_allowed"
  | "approvals_missing"
  | "destination_unsafe"
  | "network_fee_too_high"
  | "hot_balance_too_low"
  | "would_fail"
  | "amount_not_exact"
  | "nonce_not_mine"
  | "changed"
  | "signed_otherwise";

import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

/** The amounts of one token that the signer may send on one network without asking. Amounts are in ledger units. */
export interface TokenPolicy {
  readonly perTransfer: bigint;
  /** Within any 24 hours. */
  readonly perDay: bigint;
  /** Within any 24 hours, for each merchant. Null if only `perDay` limits it. */
  readonly perMerchantPerDay: bigint | null;
  /** Above it approvers must sign. */
  readonly autoUpTo: bigint;
  /** The only destinations, canonical. Null if any is allowed. */
  readonly allowOnly: ReadonlySet<string> | null;
  /** The least that one sweep moves. Null if it is not swept. */
  readonly sweepAbove: bigint | null;
  /** When the hot account holds more than `maximum`, what exceeds `target` goes to the cold address. Null if nothing does. */
  readonly hot: { readonly target: bigint; readonly maximum: bigint } | null;
}

/** The costs that sweeps of one network may have. Fees are in the coin's smallest unit. */
export interface SweepPolicy {
  /** The most of what a sweep moves, in hundredths of a percent. */
  readonly maxFeeBps: bigint;
  /** The most fee of one transaction. Null if only the other limits hold. */
  readonly maxFee: bigint | null;
  /** Within any 24 hours. */
  readonly feePerDay: bigint;
}

/** The permissions of the signer on one network. */
export interface NetworkPolicy {
  /**
   * The most that it pays. EVM: wei for a unit of gas. UTXO: satoshi for 1,000 virtual bytes. Others: for a transaction, in the coin's
   * smallest unit.
   */
  readonly maxFee: bigint;
  /** UTXO: up to this fee, satoshi for 1,000 virtual bytes, small coins are made one. Null if they never are. */
  readonly consolidateBelow: bigint | null;
  /** EVM: the most gas of one payment. Null on other networks. */
  readonly maxGas: bigint | null;
  /** The most that everything but sweeps can cost within any 24 hours, in the coin's smallest unit. Null if only the other limits hold. */
  readonly feePerDay: bigint | null;
  readonly tokens: ReadonlyMap<TokenCode, TokenPolicy>;
  /** Null if nothing is swept. */
  readonly sweep: SweepPolicy | null;
  /** Where the hot account's excess goes, canonical. Null if it stays. */
  readonly cold: string | null;
}

/** A public key of an approver. */
export type ApproverKey =
  | {
      readonly kind: "ed25519";
      /** 32 bytes of hex. */
      readonly publicKey: string;
    }
  | {
      readonly kind: "passkey";
      /** The credential's id, base64url. */
      readonly id: string;
      /** COSE key. */
      readonly publicKey: Uint8Array<ArrayBuffer>;
      /** The host that the passkey is bound to, and the console that asks it. */
      readonly rpId: string;
      readonly origin: string;
    };

/** The policy file of the signer's host. An absent permission is forbidden. */
export interface Policy {
  /** By "test.bep20". */
  readonly networks: ReadonlyMap<string, NetworkPolicy>;
  readonly approvals: {
    readonly needed: number;
    /** The keys of each approver by name. Any of them is the approver's word, and all of them together are one. */
    readonly from: ReadonlyMap<string, readonly ApproverKey[]>;
  };
}

/** The payment of one withdrawal. `amount` is in ledger units, `to` canonical. */
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

/** The amount of a token that one transaction moves to one address. */
export type Transfer = Pick<Payout, "token" | "amount" | "to">;

/**
 * The purposes of signed transactions. cancel: it uses what a payout spends that must not be sent any more, or a nonce that others wait
 * behind.
 */
export const ENTRY_KINDS = ["payout", "cancel", "sweep", "cold", "consolidation", "deploy"] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/**
 * The final decision of the chain about a transaction. final: it is in a final block. failed: it is, and moved nothing there but its fee.
 * dead: no block can ever contain it.
 */
export type TransactionOutcome = "final" | "failed" | "dead";

/** The amount that a transaction moves between accounts of the operator. `amount` is in ledger units, the addresses canonical. */
export interface Move {
  readonly token: TokenCode;
  readonly amount: bigint;
  readonly from: string;
  readonly to: string;
}

/** The highest cost of a transaction, in the coin's smallest unit. */
export interface Cost {
  /** Everything that the network can take for it, of all accounts of the operator together. */
  readonly fee: bigint;
  /** The most that the policy allows for its size. */
  readonly most: bigint;
}

/** A signed transaction, as the journal keeps it. */
export interface JournalEntry {
  readonly at: Date;
  readonly kind: EntryKind;
  readonly env: Env;
  readonly network: NetworkCode;
  /** The withdrawals that it pays, or that a canceled one would have paid. */
  readonly payouts: readonly Payout[];
  /** Sweeps and transfers to a cold address. */
  readonly moves: readonly Move[];
  /** See Draft. */
  readonly spends: readonly string[];
  readonly expires: number | null;
  /** The most that it can cost, in the coin's smallest unit. Absent in lines of former versions. */
  readonly fee?: bigint;
  /** Canonical. */
  readonly hash: string;
  /** The signed bytes. */
  readonly raw: string;
}

/** Why a withdrawal waits. Nothing was signed for it. */
export type HoldReason =
  | "no_node_that_pays"
  | "merchant_disabled"
  | "not_in_policy"
  | "above_per_transfer"
  | "above_per_day"
  | "above_per_merchant_per_day"
  | "destination_not_allowed"
  | "approvals_missing"
  | "destination_unsafe"
  | "destination_failed"
  | "network_fee_too_high"
  | "gas_too_high"
  | "above_fee_per_day"
  | "hot_balance_too_low"
  | "would_fail"
  | "amount_not_exact"
  | "nonce_not_mine"
  | "changed"
  | "below_minimum"
  | "signed_otherwise"
  | "paid_before";

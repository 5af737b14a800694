import type { ChainHead } from "#lib/chains/blocks.ts";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Env, Finality } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { TransactionCost, TransactionPayments } from "#lib/chains/transactions.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { outgoingTransactions, signerAccounts, withdrawalHolds, withdrawals } from "./tables.ts";

/** A stored withdrawal. Amounts are in ledger units. */
export type Withdrawal = typeof withdrawals.$inferSelect;
/** A withdrawal with the e-mail address of its merchant, which every record contains. */
export type WithdrawalRow = Withdrawal & { readonly email: string };

/** A withdrawal with the status of its merchant: only for an active one a payment is signed (isOfActive). */
export type PayableRow = WithdrawalRow & { readonly merchantStatus: Merchant["status"] };

export type WithdrawalStatus = Withdrawal["status"];

/** A submitted transaction. `namedAt` (ISO 8601) is when it was submitted: it was broadcast before that time. */
export type SubmittedTransaction = Withdrawal["transactions"][number];

/** Why a person must look at a withdrawal, see describeFinding. */
export type WithdrawalFinding = NonNullable<Withdrawal["finding"]>;

/** A submitted transaction as the chain reports it now. `onChain` is null when the node does not know it. */
export type TransactionObservation = SubmittedTransaction & {
  readonly onChain: TransactionPayments | null;
  readonly expired: boolean;
};

/** The report of one node about all transactions of one withdrawal. */
export interface WithdrawalObservation {
  readonly head: ChainHead;
  readonly finality: Finality;
  readonly transactions: readonly TransactionObservation[];
}

/** Why a transaction can never pay the withdrawal. */
export type DeathCause = "failed" | "pays_others" | "excluded" | "expired";

/** The result of an observation, see evaluateOutcome. */
export type WithdrawalOutcome =
  | { readonly kind: "paid"; readonly hash: string }
  | { readonly kind: "amount_mismatch" }
  | { readonly kind: "inconclusive" }
  | { readonly kind: "unpayable"; readonly cause: DeathCause }
  | { readonly kind: "open" };

/** The withdrawals of the database, and the networks that they are sent on. */
export interface WithdrawalDeps {
  readonly db: Db;
  readonly networks: NetworkRegistry;
}

/** A request for a withdrawal. `amount` is in ledger units. */
export interface WithdrawalRequest {
  readonly token: TokenCode;
  /** Any network code. A network that is off is refused. */
  readonly network: string;
  /** The destination address as a person wrote it. */
  readonly to: string;
  readonly amount: bigint;
  /** The refid of the failed withdrawal that this one refunds; null: none. */
  readonly refundOf: string | null;
  /** The refid of the payment link whose payment this one refunds; null: none. */
  readonly paymentLink: string | null;
  /** It goes to a customer, whose address no address book has. Absent: only with a payment link. */
  readonly toCustomer?: boolean;
  /** Why staff refund (readReason). Absent: they wrote nothing. */
  readonly reason?: string | null;
  /** The id of the refund claim that it comes from, whose amount was kept free for it. Absent: none. */
  readonly claim?: number;
  /** Random text of this request, the same when it is sent again; null: each request is one of its own. */
  readonly idempotencyKey: string | null;
  /** Text that identifies the request and that no restore from a backup changes. Absent: the key identifies it, if anything does. */
  readonly source?: string;
}

/** The limits that a merchant sets on its withdrawals of a token, in ledger units. null: no limit. */
export interface WithdrawalLimits {
  readonly perTransfer: bigint | null;
  /** Within 24 hours. */
  readonly perDay: bigint | null;
}

/** Signatures and passkey answers that approve a withdrawal, as the database has them. They are not checked. */
export interface GivenApprovals {
  /** Made with key files (ed25519, hex). */
  readonly signatures: readonly { readonly approver: string; readonly signature: string }[];
  /** Made with passkeys in the console: answers of navigator.credentials.get, as JSON text. */
  readonly assertions: readonly string[];
}

/** An account that the signer pays from, as it said last. */
export type SignerAccount = typeof signerAccounts.$inferSelect;
/** Why the signer does not pay a withdrawal, as it said last. `reason` can be any text: anyone who writes to the database can change it. */
export type WithdrawalHold = Pick<typeof withdrawalHolds.$inferSelect, "reason" | "since">;

/** Sums of the payments and refunds of a payment link on one network and in one token, in ledger units. */
export interface Refundable {
  readonly network: NetworkCode;
  readonly token: TokenCode;
  readonly credited: bigint;
  /** Refunds that are not failed. */
  readonly refunded: bigint;
  /** Open refund claims. */
  readonly claimed: bigint;
}

/** Which withdrawals a list contains; null: any. */
export interface WithdrawalFilter {
  readonly env: Env;
  readonly merchantId: number | null;
  readonly status: WithdrawalStatus | null;
  /** Absent: any. */
  readonly createdBefore?: Date;
}

/** A transaction that the signer has signed. Nothing has broadcast it before it is stored. */
export interface OutgoingTransaction extends WithdrawalQueue {
  /** Canonical. */
  readonly hash: string;
  /** The signed bytes. */
  readonly raw: string;
  readonly kind: OutgoingRow["kind"];
  /** Outpoints or nonces that only one transaction of a chain can use, as in TransactionPayments. */
  readonly spends: readonly string[];
  /** Amounts that it moves between addresses of the operator, in ledger units. */
  readonly moves: readonly {
    readonly token: TokenCode;
    readonly amount: bigint;
    readonly from: string;
    readonly to: string;
  }[];
}

/** The withdrawals of one network in one environment. */
export interface WithdrawalQueue {
  readonly env: Env;
  readonly network: NetworkCode;
}

/** A stored transaction of the signer. */
export type OutgoingRow = typeof outgoingTransactions.$inferSelect;

/** A settlement with another amount, as two persons sign it. `paid` in ledger units; the hash is canonical. */
export interface SettlementTerms {
  readonly txHash: string;
  readonly paid: bigint;
  /** The side that bears what was paid more than was asked for. */
  readonly excess: "costs" | "merchant";
  readonly reason: string;
}

/** The report of one node about a transaction of the signer. */
export interface CostObservation {
  readonly head: ChainHead;
  readonly finality: Finality;
  /** Null if the node does not know it. */
  readonly cost: TransactionCost | null;
  readonly isExpired: boolean;
  /** A final transaction of the signer has used what it spends. */
  readonly isExcluded: boolean;
}

/** The result of an observation, see decideOutgoing. */
export type OutgoingDecision =
  | {
      readonly kind: "final";
      readonly block: NonNullable<TransactionCost["block"]>;
      /** Ledger units of the network's coin. */
      readonly fee: bigint;
    }
  | { readonly kind: "replaced" | "expired" }
  | { readonly kind: "open"; readonly block: TransactionCost["block"] };

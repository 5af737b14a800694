import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { TransactionPayments } from "#lib/chains/transactions.ts";
import type { OutgoingTransaction, SubmittedTransaction } from "#lib/domain/withdrawals/types.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

/**
 * Why the chain and custody may differ without an error. Amounts are what the chain has more than the books.
 * - deposit_not_credited: a deposit is in a block, and its credit waits for confirmations or for a person.
 * - withdrawal_not_completed: a payment is in a block, and its withdrawal waits for the final block or for a person.
 * - fee_not_booked: a transaction of the signer is in a block that is not final.
 * - read_before: the block came after the address was read, and the books have it already.
 * - moved_while_read: a transaction between our addresses is in a block between the reads of the two.
 */
type InFlightReason =
  | "deposit_not_credited"
  | "withdrawal_not_completed"
  | "fee_not_booked"
  | "read_before"
  | "moved_while_read";

/** Money in flight, in ledger units: what the chain has more than the books. */
export interface InFlight {
  readonly reason: InFlightReason;
  readonly token: TokenCode;
  readonly amount: bigint;
  readonly txHash: string;
  /** The reference of the withdrawal, or the address of the deposit. Null if it has neither. */
  readonly subject: string | null;
}

/** An address that does not hold what the books expect, in ledger units. */
export interface AddressDifference {
  /** Canonical. Null for one of our accounts, whose single amounts the books do not know. */
  readonly address: string | null;
  readonly onChain: bigint;
  readonly expected: bigint;
  /** The newest transactions of the address that the books know. */
  readonly txHashes: readonly string[];
}

/** The comparison of one token on one network, in ledger units. */
export interface TokenProof {
  readonly token: TokenCode;
  readonly onChain: bigint;
  readonly custody: bigint;
  readonly inFlight: readonly InFlight[];
  /** The excess of the chain over custody and the money in flight. 0: they agree. */
  readonly difference: bigint;
  /** Where it is. Empty without a difference. */
  readonly addresses: readonly AddressDifference[];
}

export interface NetworkProof {
  readonly env: Env;
  readonly network: NetworkCode;
  /** Addresses that were asked about. */
  readonly addresses: number;
  /** The highest block at which balances were read. Null if they could not be read. */
  readonly height: number | null;
  /** Accounts that pay or keep: the hot account, and those of the configuration and of the command. Canonical. */
  readonly accounts: readonly string[];
  /** Accounts that the database alone says are ours, as the signer moved money there. Their balances do not count. Canonical. */
  readonly unknown: readonly string[];
  readonly tokens: readonly TokenProof[];
  /** Why it could not be compared. Null if it was. */
  readonly error: string | null;
}

/** A deposit that may be in flight. */
export interface KnownDeposit {
  readonly token: TokenCode;
  readonly amount: bigint;
  readonly txHash: string;
  readonly address: string;
  readonly blockHeight: number;
  /** It is in custody. */
  readonly isCredited: boolean;
}

/** A withdrawal that is being processed, or that was completed while balances were read. */
export interface KnownWithdrawal {
  readonly refid: string;
  readonly token: TokenCode;
  readonly amount: bigint;
  readonly toAddress: string;
  readonly txHash: string | null;
  readonly transactions: readonly SubmittedTransaction[];
  readonly isCompleted: boolean;
}

/** A transaction of the signer that may be in flight. */
export interface KnownOutgoing extends Pick<OutgoingTransaction, "hash" | "moves" | "spends"> {
  readonly block: string | null;
  /** Null if no block contains it. */
  readonly blockHeight: number | null;
  /** Null if it is not known. */
  readonly fee: bigint | null;
  /** Its fee is in the books. */
  readonly isBooked: boolean;
}

/** The payments of a transaction in a block. */
export interface ObservedPayment {
  readonly hash: string;
  readonly blockHeight: number;
  readonly paid: NonNullable<TransactionPayments["payments"]>;
}

/** The state of the books in the database at one point in time. */
export interface Books {
  readonly custody: ReadonlyMap<TokenCode, bigint>;
  readonly deposits: readonly KnownDeposit[];
  readonly withdrawals: readonly KnownWithdrawal[];
  readonly outgoing: readonly KnownOutgoing[];
}

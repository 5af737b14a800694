import type { Logger } from "pino";
import type { TransactionNetwork } from "#lib/chains/network.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { FeeRefusal } from "./fee-limits.ts";
import type {
  Cost,
  HoldReason,
  JournalEntry,
  Move,
  NetworkPolicy,
  Payout,
  TransactionOutcome,
} from "./types.ts";

/** The chain's report about this signer's transactions. */
export interface Observed {
  /** The transactions that are decided for good. A node that does not know a transaction proves nothing. */
  readonly settled: readonly { readonly entry: JournalEntry; readonly outcome: TransactionOutcome }[];
  /**
   * The transactions in no block: each is broadcast again. Where some exclude each other, only the newest is here. The rest is in blocks
   * that are not final.
   */
  readonly waiting: readonly JournalEntry[];
  /** The time of the newest block. Limits of a day are counted to the earlier of it and the clock. */
  readonly headTime: Date;
}

/** A transaction that can be signed. Nothing has been signed yet. */
export interface Draft {
  /** The payouts that it pays, out of the requested ones. */
  readonly payouts: readonly Payout[];
  /**
   * The things that only one transaction of a chain can use: outpoints ("txid:n") or a sender's sequence number ("sender:nonce"), in the
   * form of TransactionPayments.spends. Empty where the chain has no such thing.
   */
  readonly spends: readonly string[];
  /** After which no block can contain it. TRON: milliseconds of the chain's time; Solana: a block height; XRP: a ledger. Null if it never expires. */
  readonly expires: number | null;
  readonly cost: Cost;
  /** Returns the canonical hash and the bytes to broadcast, as hex (EVM: with 0x; Solana: base64). */
  sign(): Promise<{ readonly hash: string; readonly raw: string }>;
}

/** A transaction between accounts of the operator. */
export interface MoveDraft extends Omit<Draft, "payouts"> {
  readonly kind: "sweep" | "cold" | "consolidation" | "cancel";
  readonly moves: readonly Move[];
  /** Called with the reason why its fee may not be spent. Then the next transaction that is due is another one. Absent: nothing else is due before it. */
  readonly refused?: (reason: FeeRefusal) => void;
}

/** The transactions that the account has signed on the network, oldest first. */
export interface Situation {
  /** Every transaction that is not dead. */
  readonly own: readonly JournalEntry[];
  /** The ones that are not settled. */
  readonly open: readonly JournalEntry[];
  /** The ones that are in no block: they will still use balance, inputs and sequence numbers. */
  readonly waiting: readonly JournalEntry[];
}

export interface Prepared {
  /** Null if none of the payouts can be paid now. */
  readonly draft: Draft | null;
  /** Why each of the others waits, by its reference. A payout that only did not fit is missing here: it has its turn at the next step. */
  readonly held: ReadonlyMap<string, HoldReason>;
}

/**
 * Builds, signs and broadcasts on one network. Everything that differs between families; pay-network.ts is the same for all. It knows no
 * database, no policy limits and no journal file. Every call that asks a node throws NodeError when no node answers.
 */
export interface ChainSigner {
  /** The account that pays, canonical. UTXO: where the first change goes. */
  readonly account: string;
  /** The most withdrawals that one transaction pays. */
  readonly mostPayouts: number;
  /** The most own transactions that wait for a block at the same time. */
  readonly mostWaiting: number;
  /** Whether its account has signed an entry of the journal, which can also have those of a former account. Absent: all are its own. */
  isSigner?(entry: JournalEntry): boolean;
  /** Payments to one address that fail in blocks of a day before it waits for a person. Absent where a block contains none that fail. */
  readonly mostFailed?: number;
  /** Why a payout can never be made as it is: an unsafe destination, or more decimals than the chain has. Asks no node. */
  checkPayout(payout: Payout): HoldReason | null;
  /** `own`: this network's transactions that are not settled, oldest first. */
  observe(own: readonly JournalEntry[]): Promise<Observed>;
  /** Builds a transaction for as many of the payouts as it can. They have different destinations. */
  prepare(payouts: readonly Payout[], situation: Situation): Promise<Prepared>;
  /**
   * A transaction that excludes `entry`. raise: it does the same for a higher fee; null while the network does not ask for more, or asks
   * for more than the policy allows. cancel: it pays no one, so that what `entry` spends is used. A transaction without payouts cancels
   * also where a raise was asked for: what waits fits into no block. Absent where transactions expire.
   */
  prepareReplacement?(
    entry: JournalEntry,
    purpose: "raise" | "cancel",
    situation: Situation,
  ): Promise<Draft | null>;
  /**
   * The next transaction between accounts of the operator that is due; null if nothing is due. Asked about every 30 seconds, also while nothing is to
   * be paid, so it asks no node without need.
   */
  prepareMove?(situation: Situation): Promise<MoveDraft | null>;
  /** A transaction that lets others continue which wait behind a missing one, also when no more may wait; null if nothing is missing. */
  prepareFill?(situation: Situation): Promise<MoveDraft | null>;
  /** Accepts one that a node has already. */
  broadcast(entry: JournalEntry): Promise<void>;
}

export interface ChainSignerDeps {
  readonly adapter: TransactionNetwork;
  readonly mnemonic: string;
  /** The policy of the network now. Null if it allows nothing. */
  readonly policy: () => NetworkPolicy | null;
  readonly db: Db;
  /** Is given why sweeps of tokens wait. */
  readonly sweepWaits?: Map<TokenCode, string>;
  readonly log: Logger;
  readonly now: () => Date;
}

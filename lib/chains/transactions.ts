import type { TokenCode } from "#lib/platform/money/tokens.ts";

export type TransactionStatus =
  | { readonly kind: "unknown" }
  | { readonly kind: "pending" }
  | { readonly kind: "failed" }
  | { readonly kind: "confirmed"; readonly blockHeight: number; readonly blockHash: string };

/** A node's own record of a transaction: JSON, shown as a text that holds it or as an object. */
export interface TransactionRecord {
  readonly json: string;
  readonly shownAs: "text" | "object";
}

/** The payments of a transaction, as the chain reports them now. */
export interface TransactionPayments {
  /** The block of the canonical chain that holds it. Null if it waits for a block. */
  readonly block: { readonly height: number; readonly hash: string } | null;
  /** Its block holds it, and it moved nothing. */
  readonly failed: boolean;
  /**
   * Every movement of a listed token in it, to any receiver, in ledger units. Null: only its block can tell.
   */
  readonly payments:
    | readonly {
        /** As in ChainTransfer. */
        readonly position: number;
        readonly token: TokenCode;
        /** Canonical form. Null: not an address of this network. */
        readonly address: string | null;
        readonly amount: bigint;
      }[]
    | null;
  /**
   * A token whose movements the block does not report completely. More of it may have been paid than
   * `payments` says, for example when a contract forwards the native coin. Null: all movements are known,
   * also when the transaction failed.
   */
  readonly inconclusiveToken: TokenCode | null;
  /**
   * The things that only one transaction of a chain can use: outpoints ("txid:n"), or a sender's nonce
   * ("sender:nonce").
   */
  readonly spends: readonly string[];
}

/** The cost of a transaction for its senders, as the chain reports it now. */
export interface TransactionCost {
  /** The block of the canonical chain that holds it. Null if it waits for a block. */
  readonly block: { readonly height: number; readonly hash: string } | null;
  /**
   * The amount that its sender paid beyond the transfers, in ledger units of the network's own coin. Below 0 where a deposit that an
   * account had made came back (rent on Solana). Null if it waits for a block.
   */
  readonly fee: bigint | null;
  /** As in TransactionPayments. */
  readonly spends: readonly string[];
}

/** Our record of a transaction. It saves some nodes a search. */
export interface RecordedTransaction {
  /** The block that contained it last. */
  readonly block: string | null;
  /** Ledger units of outpoints that it spends ("txid:n"). The node is asked for the missing ones. */
  readonly spent: ReadonlyMap<string, bigint>;
}

/**
 * The state of transactions at the nodes, by canonical hash (families.ts). `recordedBlock` is the block of our record. It saves some nodes
 * a search.
 */
export interface Transactions {
  /** The status of a transaction now. */
  fetchStatus(txHash: string, recordedBlock?: string | null): Promise<TransactionStatus>;
  /** Fetches the payments of a transaction, waiting or in a block. Null: the node does not know it. */
  fetchPayments(txHash: string, recordedBlock?: string | null): Promise<TransactionPayments | null>;
  /** The node's record of a transaction. Null: the node does not know it. */
  fetchRecord(txHash: string, recordedBlock?: string | null): Promise<TransactionRecord | null>;
  /** Fetches the cost of a transaction that we sent. Null if the node does not know it. */
  fetchCost(txHash: string, recorded: RecordedTransaction): Promise<TransactionCost | null>;
  /**
   * Returns whether a transaction that was broadcast by `since`, and is in no block up to the final
   * `height`, can no longer be included. False where transactions do not expire, and where the node's history is too short to
   * prove it.
   */
  hasExpired(since: Date, height: number): Promise<boolean>;
}

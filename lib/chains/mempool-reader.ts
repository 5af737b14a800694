import type { AddressFilter } from "./blocks.ts";
import type { NodeError } from "./node-error.ts";
import type { ChainTransfer } from "./transfers.ts";

/** The part of one node's mempool that was read so far. */
export interface MempoolView {
  /** The node's name. */
  readonly node: string;
  /** Number of the complete list of ids that this view is of. A newer list has a higher number. */
  readonly list: number;
  /** The list was taken, or found to be still true, in this step. */
  readonly looked: boolean;
  /** The `wanted` transactions that the list does not name: they are in a block, or gone. */
  readonly gone: readonly string[];
  /** All transfers to us in listed transactions that were fetched. */
  readonly transfers: readonly ChainTransfer[];
  /** Listed transactions to fetch that arrived since the first list, or that are wanted. */
  readonly arrivals: number;
  /** Listed transactions to fetch that waited before the first list. */
  readonly backlog: number;
  /** Why not all of this step's transactions were fetched. Null: all were. */
  readonly failure: NodeError | null;
}

export interface MempoolStep {
  readonly ours: AddressFilter;
  /** Hashes of transactions that were seen waiting. Asked before a list is taken. Fetched first. */
  readonly wanted: () => Promise<readonly string[]>;
  /** Hash of the newest block that was read of the node. Null: none was. */
  readonly block: string | null;
  /** Minimum milliseconds between two looks for changes. */
  readonly lookEveryMs: number;
  readonly signal?: AbortSignal;
}

/** A node's report: a change of its chain, or of its mempool. */
export type NodeNews = "block" | "transaction";

/** The news that nodes push. Only a hint: news may be missed, and polling continues. */
export interface NewsFeed {
  /** Calls `wake` soon after the node has news, so that the watcher does not wait for its next poll. Returns a function that stops it. */
  listen(wake: (news: NodeNews) => void): () => void;
}

/** Reads the mempool of the node in use, in parallel with the blocks and with a share of its call budget. */
export interface MempoolReader {
  /**
   * Reads one step: lists the ids if they may have changed, and sends one request for transactions that were
   * not fetched yet, newest first. Throws NodeError when it cannot list: "refused" where the node shows no
   * mempool. The transfers that were read before stay, and the next step continues.
   */
  readStep(step: MempoolStep): Promise<MempoolView>;
}

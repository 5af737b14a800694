/** A change of a node's mempool or chain, as its ZMQ topic `sequence` reports it (Core's doc/zmq.md). */
export type MempoolChange =
  | { readonly kind: "added" | "removed"; readonly txid: string; readonly number: number }
  | BlockChange;

/** A block's transactions leave the mempool without messages of their own. Transactions that conflict with it have them. */
export interface BlockChange {
  readonly kind: "connected" | "disconnected";
  readonly blockHash: string;
}

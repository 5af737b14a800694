import type { Tx } from "./connection.ts";

/** Makes one item of a batch happen once. The edge that knows what identifies a request records that in the batch's transaction. */
export interface Once {
  /**
   * Records that these happen in this transaction. Returns those that are new. One that has happened, or that another
   * transaction does now, is not. Throws a lock timeout where one would have to wait for long.
   */
  claim(tx: Tx, all: readonly Once[]): Promise<ReadonlySet<Once>>;
  /** Deletes the record of these, which were claimed in this transaction and did not happen. */
  release(tx: Tx, refused: readonly Once[]): Promise<void>;
}

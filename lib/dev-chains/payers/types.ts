/**
 * Pays on one development chain without limits. Amounts in the chain's units of the token (native coin: of
 * the coin). Addresses in the form that wallets show. Throws NodeError when the node refuses or does not
 * answer.
 */
export interface Payer {
  /** False if other people could be using any of the network's nodes. */
  isDevelopmentChain(): Promise<boolean>;
  mine(blocks: number): Promise<void>;
  /** Broadcasts a payment and returns its hash. */
  pay(to: string, amount: bigint): Promise<string>;
  /** Pays as much of an unlisted token. Absent where the chain has no tokens. */
  payOtherToken?(to: string, amount: bigint): Promise<{ txHash: string; contract: string }>;
  /**
   * Pays, and once `isSeen` resolves pays the same again with a transaction that replaces the first and pays a
   * higher fee. null, and nothing replaced, if it resolves to false. Absent where the chain has no replacement.
   */
  payTwice?(
    to: string,
    amount: bigint,
    isSeen: (txHash: string) => Promise<boolean>,
  ): Promise<{ replaced: string; by: string } | null>;
  /** Replaces the blocks from the transaction's on by more blocks that can never hold it. */
  revert(txHash: string): Promise<void>;
}

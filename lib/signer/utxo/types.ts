/** One of our outputs, which can be spent. */
export interface Coin {
  /** "txid:n". */
  readonly outpoint: string;
  readonly satoshis: bigint;
  /** Its key: 0/index received a deposit, 1/index our own change. */
  readonly branch: 0 | 1;
  readonly index: number;
  /** False: its transaction, which is our own, waits for a block. */
  readonly isConfirmed: boolean;
}

export interface Output {
  readonly script: Uint8Array;
  readonly satoshis: bigint;
}

/** The inputs, outputs and fee of a transaction. The change is one of the outputs. */
export interface Plan {
  readonly inputs: readonly Coin[];
  readonly outputs: readonly Output[];
  readonly fee: bigint;
}

/** The state that a server reports before a payment is signed. Amounts in drops, all of validated ledgers. */
export interface XrpSendState {
  /** The newest validated ledger. */
  readonly ledger: number;
  readonly balance: bigint;
  /** The sequence that the account's next transaction must have, if none waits. */
  readonly sequence: number;
  /** The drops that the account must keep. */
  readonly reserve: bigint;
  /** The drops that the first payment to a new account must bring. */
  readonly baseReserve: bigint;
  /** The fee to be in the next ledger. */
  readonly fee: bigint;
  /** Null if the destination does not exist. */
  readonly destination: XrpDestinationState | null;
}

export interface XrpDestinationState {
  /** It accepts no payment without a destination tag. */
  readonly requiresTag: boolean;
  /** It accepts payments from chosen accounts only, or it belongs to the ledger (an AMM, a vault) and accepts none. */
  readonly refuses: boolean;
}

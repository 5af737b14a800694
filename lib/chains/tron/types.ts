/** A transfer from an account. Addresses are canonical. `value` is in the token's unit on TRON. */
export interface TronTransfer {
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  /** Null for TRX. */
  readonly contract: string | null;
}

/** Prices of the network, in sun. */
export interface TronPrices {
  readonly energy: bigint;
  /** The price of a byte. */
  readonly bandwidth: bigint;
  /** The price of an account that a transfer of TRX creates, and of its bandwidth where the sender has none of its own. */
  readonly newAccount: bigint;
  readonly newAccountBandwidth: bigint;
  /** How much dearer a contract's energy can be after the next maintenance, in hundredths of a percent (the dynamic energy model). */
  readonly energyIncrease: bigint;
  /** The highest fee_limit that nodes accept. */
  readonly maxFeeLimit: bigint;
}

/** The funds, bandwidth and energy of an account. */
export interface TronAccount {
  /** Accounts that have never received TRX do not exist, and can neither send nor be given energy. */
  readonly exists: boolean;
  /** Sun. */
  readonly balance: bigint;
  /** Bytes left today: of everybody's free bandwidth, and of its own staked TRX. */
  readonly freeBandwidth: bigint;
  readonly ownBandwidth: bigint;
  /** Energy left of TRX that is staked for it. */
  readonly energy: bigint;
  /** Energy that one staked TRX gives in a day, as a fraction. */
  readonly energyPerTrx: { readonly total: bigint; readonly weight: bigint };
}

/** The block that a transaction names, so that it is valid on its branch alone. */
export interface TronReference {
  /** Hex: the two low bytes of its height, and bytes 8 to 16 of its id. */
  readonly refBlockBytes: string;
  readonly refBlockHash: string;
  /** The time of the newest block. */
  readonly headTime: Date;
}

/** The state that a node reports before a transfer is signed. */
export interface TronSendState extends TronReference {
  readonly prices: TronPrices;
  readonly sender: TronAccount;
  /** In the token's unit. The same as the sender's balance for TRX. */
  readonly tokenBalance: bigint;
  readonly receiver: { readonly exists: boolean; readonly isContract: boolean };
  /** The energy of the call. Null if it would fail now. 0 for TRX. */
  readonly energy: bigint | null;
  /** The energy of the same call to an address without the token: the receiver can give its own away before the block. */
  readonly energyIfEmpty: bigint;
}

/** A node's report about transactions. */
export interface TronFates {
  readonly headTime: Date;
  /** The newest final block. Null if no block is final yet. */
  readonly final: { readonly height: number; readonly time: Date } | null;
  /** By hash: whether its block is final. Absent: no block has it. */
  readonly blocks: ReadonlyMap<string, { readonly isFinal: boolean }>;
}

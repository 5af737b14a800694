/** An allocated address, for networks whose nodes must know what to look for. */
export interface WatchedAddress {
  /** Canonical. */
  readonly address: string;
  readonly id: number;
}

/** Looks for payments to addresses that it is given. */
export interface AddressWatch {
  /** Says which addresses to look for. The watcher calls it before its first pass. */
  watch(book: AddressBook): void;
}

/**
 * The allocated addresses of one network, in pages. Each page is one indexed query.
 */
export interface AddressBook {
  /** The addresses with a lower id, newest first. Null: from the newest. */
  listBefore(id: number | null, limit: number): Promise<readonly WatchedAddress[]>;
  /** The addresses with a higher id, oldest first. */
  listAfter(id: number, limit: number): Promise<readonly WatchedAddress[]>;
  /** Addresses of payment links that may end within the next minutes, the first ones first. */
  listDue(limit: number): Promise<readonly WatchedAddress[]>;
  /** Addresses that are recorded as paid in blocks above a height. */
  listPaidAbove(height: number): Promise<readonly string[]>;
  /** The hashes of the blocks in which deposits of these transactions are recorded, by transaction. */
  findRecordedBlocks(txHashes: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The transactions among these that are set aside: they are read again. */
  findSetAside(txHashes: readonly string[]): Promise<ReadonlySet<string>>;
}

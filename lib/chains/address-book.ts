/** An allocated address, for networks whose nodes must know what to look for. */
export interface WatchedAddress {
  /** Canonical. */
  readonly address: string;
  readonly id: number;
}

/**
 * The allocated addresses of one network, in pages. Each page is one indexed query.
 */
export interface AddressBook {
  /** Those with a lower id, newest first. Null: from the newest. */
  listBefore(id: number | null, limit: number): Promise<readonly WatchedAddress[]>;
  /** Those with a higher id, oldest first. */
  listAfter(id: number, limit: number): Promise<readonly WatchedAddress[]>;
  /** The hashes of the blocks in which deposits of these transactions are recorded, by transaction. */
  findRecordedBlocks(txHashes: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

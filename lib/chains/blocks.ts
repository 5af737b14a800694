import type { ChainTransfer } from "./transfers.ts";

/** The tip that a node reports. `finalizedHeight` is null on chains that only count confirmations. */
export interface ChainHead {
  readonly height: number;
  readonly hash: string;
  /** The block's own time. Null or absent: the node does not report it. */
  readonly time?: Date | null;
  readonly finalizedHeight: number | null;
}

export interface HeadOptions {
  /** False: `finalizedHeight` is null, where it would be a call of its own. Absent: true. */
  readonly finality?: boolean;
}

/** Takes canonical addresses and returns those that are ours. Called once per batch. One indexed query. */
export type AddressFilter = (addresses: readonly string[]) => Promise<ReadonlySet<string>>;

/** Transfers in blocks that were scanned before the node reported them. */
export interface LateTransfers {
  readonly transfers: readonly ChainTransfer[];
  /** Call it when they are recorded. Until then they are returned again. */
  done(): void;
}

/** Blocks by height, both inclusive. */
export interface BlockRange {
  readonly from: number;
  readonly to: number;
}

/** Blocks to read. */
export interface ScanRange extends BlockRange {
  /**
   * Identities of further accounts that addresses were allocated of (AccountKeyFormat), where all addresses are tags of an
   * account. The configured account is always read.
   */
  readonly accounts?: readonly string[];
}

export interface ScanOptions {
  /** Blocks whose traces the node refuses are read without them, and named. Absent: the scan throws TracesRefusedError. */
  readonly mayLackTraces?: boolean;
}

export interface ScanResult {
  readonly transfers: readonly ChainTransfer[];
  /** Heights of blocks that were read without their traces. */
  readonly untraced?: readonly number[];
  /** Hash of block `to`. */
  readonly tipHash: string;
  /** Hash of block `from - 1` of the same branch. The caller checks that it is the cursor's. */
  readonly parentHash: string;
}

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
  /** The height up to which blocks were read. A node may then be asked for the blocks above it in place of its head. Absent: none were read. */
  readonly readUpTo?: number;
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
interface ScanRange extends BlockRange {
  /**
   * Identities of further accounts that addresses were allocated of (AccountKeyFormat), where all addresses are tags of an
   * account. The configured account is always read.
   */
  readonly accounts?: readonly string[];
}

export interface ScanOptions {
  /** Blocks whose traces the node refuses are read without them, and named. Absent: the scan throws TracesRefusedError. */
  readonly mayLackTraces?: boolean;
  /** No payment is expected: fewer calls matter more than seconds. Absent: false. */
  readonly isIdle?: boolean;
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

/** The blocks of a chain. */
export interface Blocks {
  /**
   * Checks that the chain's identity and the decimals of tokens match the configuration. Throws
   * NodeError("wrong_chain") otherwise.
   */
  checkIdentity(): Promise<void>;
  fetchHead(options?: HeadOptions): Promise<ChainHead>;
  /**
   * Hash of the canonical block at a height. Null when the chain is not that long. A height without a block
   * (a skipped slot on Solana) has the hash of the last block below it.
   */
  fetchHash(height: number): Promise<string | null>;
  /**
   * Reads blocks from..to (inclusive) completely. Throws NodeError("inconsistent") when the chain was
   * reorganized during the scan.
   */
  scan(range: ScanRange, ours: AddressFilter, options?: ScanOptions): Promise<ScanResult>;
  /**
   * Returns whether the node's chain has replaced this block by more work, although it may be shorter. False where the node cannot
   * compare them, and where no shorter chain replaces a longer one.
   */
  hasMoreWork(block: { readonly height: number; readonly hash: string }): Promise<boolean>;
  /**
   * Prepares scans above a fork: what was recorded there is looked for again. Does nothing where a scan does not depend on earlier ones.
   */
  readAgainAbove(fork: number): Promise<void>;
}

/** Forks of chains where no shorter chain replaces a longer one, and where a scan does not depend on earlier ones. */
export const PLAIN_FORKS: Pick<Blocks, "hasMoreWork" | "readAgainAbove"> = {
  hasMoreWork: async () => false,
  readAgainAbove: async () => {},
};

/** Reports of transfers that no scan has returned. */
export interface LateReports {
  /**
   * Transfers in blocks up to `height` that no scan has returned, because the node reported them after their
   * block was scanned, or because their address is asked about rarely. They are proven like any other.
   */
  list(height: number, ours: AddressFilter): Promise<LateTransfers>;
}

import type { BlockRange } from "#lib/chains/blocks.ts";
import type { NetworkScope } from "#lib/chains/networks.ts";

/** How far the network's finality was at the end of a pass. Stored with the cursor. */
export interface FinalityProgress {
  /** The height of the last final block. Null: the network counts confirmations, or the node knows no final block yet. */
  readonly finalizedHeight: number | null;
  /** Since when that height has not grown. Null where confirmations are counted. */
  readonly finalizedSince: Date | null;
  /** It does not advance while blocks continue to come: nothing is credited. */
  readonly finalityLate: boolean;
}

/** How far a network has been read. */
interface WatchProgress {
  readonly height: number;
  readonly nodeHeight: number;
  /** Start of the last complete pass; null: none was complete yet. */
  readonly passStartedAt: Date | null;
  /** The time of the newest block; null: the node does not report it. */
  readonly headTime: Date | null;
  readonly finality: FinalityProgress;
}

/** The state of one network that is on, whichever process watches it. */
export interface WatchMeasurement extends NetworkScope {
  /** The last pass failed, or no pass was ever complete. */
  readonly failing: boolean;
  /** The progress of the watcher. Null: the network was never read. */
  readonly progress: WatchProgress | null;
  /** How many blocks were never read because no node had them at the first pass. */
  readonly gapBlocks: number;
}

/** The watch status of one network. */
export interface WatchStatus {
  /** The height that was read last. null: before the first complete pass. */
  readonly height: number | null;
  /** The error that stops the watcher. */
  readonly error: string | null;
  /** Why the node does not show its mempool. null: it shows it, or the network has none. */
  readonly mempoolError: string | null;
  /** Blocks that were never read because no node had them at the first pass. */
  readonly gap: BlockRange | null;
  readonly finality: FinalityProgress;
  readonly updatedAt: Date;
}

/** Names of networks that pages must mention, sorted. */
export interface NetworkTroubles {
  /** Qualified names of the networks that no watcher reads now. */
  readonly unwatched: readonly string[];
  /** Names (lateNetworkName) of the networks whose finality is late. */
  readonly late: readonly string[];
}

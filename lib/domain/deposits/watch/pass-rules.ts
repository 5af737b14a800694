import type { LastRead } from "#lib/chains/node-rules.ts";
import type { MempoolEntry } from "./watch-rules.ts";

/** A node below what was read is an error after this time. Nodes behind one balancer differ by some blocks at times. */
const BELOW_CURSOR_MS = 30_000;
/** While nothing changes, progress is written at most this often. */
const PROGRESS_EVERY_MS = 1_000;
/** A deposit whose credit failed is tried again after a minute or later, however long the next block takes. */
const COUNT_EVERY_MS = 60_000;

/** How the next pass reads. */
export interface Reading {
  /** Blocks in a scan: as many as the network allows, or fewer after a failure. */
  readonly scan: { readonly kind: "whole" } | { readonly kind: "reduced"; readonly blocks: number };
  /** Whether a node is at the cursor, or since when all are below it. */
  readonly nodes: { readonly kind: "usable" } | { readonly kind: "below"; readonly since: Date };
}

/**
 * "due": deposits may have confirmations that are not counted. Otherwise tip and finalized height of the last complete count, and its
 * time in milliseconds.
 */
type Confirmations =
  | { readonly kind: "due" }
  | { readonly kind: "counted"; readonly tip: string; readonly at: number };

/** The mempool in the database: its key (mempoolKey), as far as this watcher knows it. */
export type RecordedMempool = { readonly kind: "unknown" } | { readonly kind: "known"; readonly key: string };

/** "failed": the cursor row holds an error that the next successful pass must clear. `at`: milliseconds. */
type Progress =
  | { readonly kind: "failed" }
  | { readonly kind: "due" }
  | { readonly kind: "written"; readonly at: number };

/** The memory of one watcher between passes. Losing it costs time, never correctness. */
export interface PassMemory {
  reading: Reading;
  confirmations: Confirmations;
  recordedMempool: RecordedMempool;
  progress: Progress;
  /** Deposits that the last new list of the mempool did not name, and that were not in the blocks. */
  missing: ReadonlySet<number>;
  /** Number of the last list that was compared with the waiting deposits. */
  comparedList: number;
  /** The mempool entries of all nodes, by transaction. */
  mempoolEntries: ReadonlyMap<string, MempoolEntry>;
  /** The node that the passes use, and the cursor that it is known to have. */
  readonly lastRead: LastRead;
  /** The newest block of the node, once all up to it are read. */
  newest: { readonly hash: string; readonly time: Date | null } | null;
  /** When the answer to which block is final was last used, in milliseconds. */
  finalityAskedAt: number;
  /** Before the first cursor: nodes without its start, and the lowest height that each can start from. */
  readonly startsWithoutHistory: Map<string, number>;
  /** An address was allocated. False also before the first look. */
  hasAddresses: boolean;
}

/** Returns the memory of a watcher before its first pass. */
export function createPassMemory(): PassMemory {
  return {
    reading: { scan: { kind: "whole" }, nodes: { kind: "usable" } },
    confirmations: { kind: "due" },
    recordedMempool: { kind: "unknown" },
    progress: { kind: "failed" },
    missing: new Set(),
    comparedList: 0,
    mempoolEntries: new Map(),
    lastRead: { node: null, hash: null },
    newest: null,
    finalityAskedAt: 0,
    startsWithoutHistory: new Map(),
    hasAddresses: false,
  };
}

/**
 * How the reading of a pass ended. below: all nodes are below the cursor. stale: their newest blocks are too old. untraced: no node traces the
 * blocks. unreadable: a node sent blocks that the program cannot read. failed: any other error.
 */
export type PassEnd = "recorded" | "below" | "stale" | "untraced" | "unreadable" | "failed";

/** How the next pass reads, and the action now. fail: the pass throws the error. */
export interface NextStep {
  readonly reading: Reading;
  readonly action: "end" | "report_below" | "read_again" | "read_without_traces" | "fail";
}

/** Decides what follows the end of a pass. `most`: the blocks in a scan that the network allows. */
export function nextStep(
  { scan, nodes }: Reading,
  end: PassEnd,
  { most, now }: { readonly most: number; readonly now: Date },
): NextStep {
  if (end === "below") {
    const since = nodes.kind === "below" ? nodes.since : now;
    const isTooLong = now.getTime() - since.getTime() >= BELOW_CURSOR_MS;
    return {
      reading: { scan, nodes: { kind: "below", since } },
      action: isTooLong ? "fail" : "report_below",
    };
  }
  const read = blocksOf(scan, most);
  const then = (blocks: number, action: NextStep["action"]): NextStep => ({
    reading: {
      scan: blocks >= most ? { kind: "whole" } : { kind: "reduced", blocks },
      nodes: { kind: "usable" },
    },
    action,
  });
  const fewer = Math.max(1, Math.floor(read / 2));
  switch (end) {
    case "recorded":
      return then(read * 2, "end");
    case "stale":
      return then(read, "fail");
    // The tokens in these blocks must not wait for their traces, and smaller scans would not help.
    case "untraced":
      return then(read, "read_without_traces");
    // Smaller scans record everything before the unreadable block, and the error then names that block.
    case "unreadable":
      return then(fewer, read > 1 ? "read_again" : "fail");
    case "failed":
      return then(fewer, "fail");
  }
}

/** Returns the blocks in the next scan. `most`: those that the network allows. */
export const blocksOf = (scan: Reading["scan"], most: number): number =>
  scan.kind === "whole" ? most : scan.blocks;

/** Returns whether a pass counts confirmations. `tip`: the newest block that was read, and the finalized height. */
export const isCountDue = (confirmations: Confirmations, tip: string, now: Date): boolean =>
  confirmations.kind === "due" ||
  confirmations.tip !== tip ||
  now.getTime() - confirmations.at >= COUNT_EVERY_MS;

/** Returns whether a pass writes its progress. */
export const isProgressDue = (progress: Progress, now: Date): boolean =>
  progress.kind !== "written" || now.getTime() - progress.at >= PROGRESS_EVERY_MS;

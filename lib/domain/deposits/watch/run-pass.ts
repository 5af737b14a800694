import { type ChainHead, NodeError } from "#lib/chains/network.ts";
import { failpoint } from "../failpoint.ts";
import { confirmDeposits } from "../record/confirm-deposits.ts";
import { recordScan, type Scan } from "../record/record-scan.ts";
import { retryTransactions } from "../record/retry-transactions.ts";
import type { BlockRef, TransferObservation, WatchContext } from "../types.ts";
import { type Cursor, findCursor, updateWatchProgress, type WatchProgressUpdate } from "./cursor-store.ts";
import { isUnreadableBlocksError, readBlocks, readMempool } from "./read-blocks.ts";
import { startCursor } from "./start-cursor.ts";
import { type MempoolEntry, mempoolKey, mergeMempools } from "./watch-rules.ts";

/** While nothing changes, progress is written at most this often. */
const PROGRESS_EVERY_MS = 1_000;

/** What one watcher remembers between passes. Losing it costs time, never correctness. */
export interface PassMemory {
  /** Tip and finalized height of the last complete count of confirmations. */
  confirmedTip: string;
  /** Key of the mempool as it was recorded last; null: unknown. */
  recordedMempool: string | null;
  /** Deposits that the last scan found neither in the mempool nor in the blocks. */
  missing: ReadonlySet<number>;
  /** The mempool entries of all nodes, by transaction. */
  mempoolEntries: ReadonlyMap<string, MempoolEntry>;
  /** When progress was last written, in milliseconds. */
  progressWrittenAt: number;
  /** The cursor row holds an error that the next successful pass must clear. */
  hasStoredError: boolean;
  /** Blocks per scan. Halved after a failure, down to 1; null: as many as the network allows. */
  blocksPerScan: number | null;
  /** Before the first cursor: nodes without its start, and the lowest height that each can start from. */
  readonly startsWithoutHistory: Map<string, number>;
}

/** Returns the memory of a watcher before its first pass. */
export function createPassMemory(): PassMemory {
  return {
    mempoolEntries: new Map(),
    confirmedTip: "",
    recordedMempool: null,
    missing: new Set(),
    progressWrittenAt: 0,
    hasStoredError: true,
    blocksPerScan: null,
    startsWithoutHistory: new Map(),
  };
}

/**
 * Runs one pass through one of the network's nodes. Returns true when there are more blocks to read at once.
 *
 * Reads: the mempool, the head, and the blocks after the cursor.
 * Writes, each in its own transaction: the cursor with the deposits of the blocks (recordScan), transactions that were set
 * aside and are due (retryTransactions), the confirmations and credits (confirmDeposits), and the progress.
 * When the process is killed between two of them, the next pass continues from the cursor. Nothing is credited twice.
 *
 * When all nodes are below the cursor, it writes progress and returns false. `stopping` cancels the requests under way.
 * Throws NodeError or a database error.
 */
export async function runPass(
  watch: WatchContext,
  memory: PassMemory,
  stopping?: AbortSignal,
): Promise<boolean> {
  const at = await findCursor(watch.database.db, watch);
  const { batchBlocks } = watch.adapter.data;
  const blocksPerScan = memory.blocksPerScan ?? batchBlocks;
  try {
    const more = await watch.adapter.withOneNode(
      { lastBlock: at, ...(stopping && { signal: stopping }) },
      (node, name) =>
        readAndRecord({ ...watch, adapter: { ...watch.adapter, ...node } }, memory, blocksPerScan, name),
    );
    memory.blocksPerScan = Math.min(batchBlocks, blocksPerScan * 2);
    return more;
  } catch (error) {
    if (error instanceof NodeError && error.kind === "behind" && at) {
      const nodeHeight = error.height ?? at.height;
      await writeProgress(watch, memory, { at, nodeHeight, passStartedAt: null });
      return false;
    }
    memory.blocksPerScan = Math.max(1, Math.floor(blocksPerScan / 2));
    // Smaller scans record everything before the unreadable block, and the error then names that block.
    if (isUnreadableBlocksError(error) && blocksPerScan > 1) return runPass(watch, memory, stopping);
    throw error;
  }
}

async function readAndRecord(
  watch: WatchContext,
  memory: PassMemory,
  blocksPerScan: number,
  nodeName: string,
): Promise<boolean> {
  const startedAt = watch.now();
  const mempool = await readMergedMempool(watch, memory, nodeName);
  const head = await watch.adapter.fetchHead();
  failpoint("head-read");
  const cursor =
    (await findCursor(watch.database.db, watch)) ??
    (await startCursor(watch, head, nodeName, memory.startsWithoutHistory));
  if (head.height < cursor.height) {
    const { height } = head;
    const message = `the node is at height ${height}, below the cursor at ${cursor.height}`;
    throw new NodeError("behind", message, { height });
  }
  const blocks = await readBlocks(watch, cursor, head, blocksPerScan);
  const scan = addMempool(blocks, mempool, memory.recordedMempool, { cursor, head });
  if (scan !== null) {
    const unchanged = scan.mempool === null && memory.recordedMempool === "" && mempool.length === 0;
    memory.recordedMempool = null;
    const missing = await recordScan(watch, scan, memory.missing, watch.now());
    if (missing === null) return true;
    memory.missing = missing;
    // While deposits are missing, the next pass must record the mempool again, even if it is unchanged.
    const recorded = unchanged || scan.mempool !== null;
    if (recorded && missing.size === 0) memory.recordedMempool = mempoolKey(mempool);
    failpoint("record-committed");
  }
  const at: BlockRef = scan?.to ?? cursor;
  await retryTransactions(watch, { ...at, nodeHeight: head.height });
  const tip = `${at.hash} ${head.finalizedHeight}`;
  if (tip !== memory.confirmedTip) {
    if (!(await confirmDeposits(watch, at, head))) return true;
    memory.confirmedTip = tip;
  }
  const complete = at.height === head.height;
  if (at.height !== cursor.height) memory.progressWrittenAt = 0;
  const passStartedAt = complete ? startedAt : null;
  await writeProgress(watch, memory, { at, nodeHeight: head.height, passStartedAt });
  return !complete;
}

/** Reads the mempool of this node and adds what other nodes showed shortly before. */
async function readMergedMempool(
  watch: WatchContext,
  memory: PassMemory,
  node: string,
): Promise<readonly TransferObservation[]> {
  const fresh = await readMempool(watch);
  memory.mempoolEntries = mergeMempools(memory.mempoolEntries, fresh, node, watch.now());
  return [...memory.mempoolEntries.values()].flatMap(({ observations }) => observations);
}

/**
 * Adds the mempool to a scan. The mempool is only valid together with the newest block, and it is only recorded when it
 * has changed. Returns null when there is nothing to record.
 */
function addMempool(
  blocks: Omit<Scan, "mempool"> | null,
  mempool: readonly TransferObservation[],
  recordedMempool: string | null,
  { cursor, head }: { readonly cursor: Cursor; readonly head: ChainHead },
): Scan | null {
  const key = mempoolKey(mempool);
  const unchanged = key === recordedMempool;
  if (blocks !== null) {
    const skip = blocks.to.height < head.height || (unchanged && key === "" && blocks.fork === null);
    return { ...blocks, mempool: skip ? null : mempool };
  }
  if (unchanged) return null;
  const at = { height: cursor.height, hash: cursor.hash };
  return { from: at, to: at, fork: null, blocks: [], observations: [], nodeHeight: head.height, mempool };
}

async function writeProgress(
  watch: WatchContext,
  memory: PassMemory,
  progress: WatchProgressUpdate,
): Promise<void> {
  const now = watch.now();
  if (!memory.hasStoredError && now.getTime() - memory.progressWrittenAt < PROGRESS_EVERY_MS) return;
  await updateWatchProgress(watch.database.db, watch, progress, now);
  memory.progressWrittenAt = now.getTime();
}

import { type ChainHead, NodeError } from "#lib/chains/network.ts";
import { failpoint } from "../failpoint.ts";
import { confirmDeposits } from "../record/confirm-deposits.ts";
import { recordScan, type Scan } from "../record/record-scan.ts";
import {
  type Cursor,
  findCursor,
  findFirstAddressTime,
  insertCursor,
  insertReadBlocks,
  updateWatchProgress,
} from "../record/store.ts";
import { estimateBlocksSince } from "../rules.ts";
import type { BlockRef, TransferObservation, WatchContext } from "../types.ts";
import { type MempoolEntry, mergeMempools } from "./mempool-rules.ts";
import { isUnreadableBlocksError, readBlocks, readMempool } from "./read-blocks.ts";

/** An unchanged head is written down at most this often. */
const PROGRESS_EVERY_MS = 1_000;
/** Blocks below the very first cursor that are remembered: a reorganisation may reach beneath it. */
const FIRST_DEPTHS = [1, 2, 4, 8, 16, 32, 64, 128];

/** What one watcher remembers between passes; all of it may be lost. */
export interface PassMemory {
  /** Tip and finalized height of the last complete count of confirmations. */
  confirmedTip: string;
  /** What was recorded as waiting in the mempool; null: not known. */
  recordedMempool: string | null;
  /** Deposits that the mempool and the blocks did not show at the last look. */
  missing: ReadonlySet<number>;
  /** What waits there, by transaction, and which node showed it. */
  mempoolEntries: ReadonlyMap<string, MempoolEntry>;
  /** When the standing was last written down, milliseconds. */
  progressWrittenAt: number;
  /** The database shows an error that a good pass must take away. */
  hasStoredError: boolean;
  /** Blocks read at once: fewer after a failure, down to the one that cannot be read; null: as many as may be. */
  blocksPerScan: number | null;
}

/** Of a watcher that has only begun. */
export function createPassMemory(): PassMemory {
  return {
    mempoolEntries: new Map(),
    confirmedTip: "",
    recordedMempool: null,
    missing: new Set(),
    progressWrittenAt: 0,
    hasStoredError: true,
    blocksPerScan: null,
  };
}

/**
 * One look at the chain through one of its nodes: new blocks recorded, confirmations counted, credits made. True when
 * there is more to read at once. Where no node stands as high as we do, they are waited for. `stopping` gives up what
 * is being read. Throws NodeError, or the database's error.
 */
export async function runPass(
  watch: WatchContext,
  memory: PassMemory,
  stopping?: AbortSignal,
): Promise<boolean> {
  const at = await findCursor(watch.database.db, watch);
  const standing = { lastBlock: at, ...(stopping && { signal: stopping }) };
  const { batchBlocks } = watch.adapter.data;
  const atOnce = memory.blocksPerScan ?? batchBlocks;
  try {
    const more = await watch.adapter.withOneNode(standing, (node, name) =>
      readAndRecord({ ...watch, adapter: { ...watch.adapter, ...node } }, memory, atOnce, name),
    );
    memory.blocksPerScan = Math.min(batchBlocks, atOnce * 2);
    return more;
  } catch (error) {
    if (error instanceof NodeError && error.kind === "behind" && at) {
      await writeProgress(watch, memory, at, error.height ?? at.height, null);
      return false;
    }
    memory.blocksPerScan = Math.max(1, Math.floor(atOnce / 2));
    // All before the block that cannot be read is read first, and the error names that block.
    if (isUnreadableBlocksError(error) && atOnce > 1) return runPass(watch, memory, stopping);
    throw error;
  }
}

async function readAndRecord(
  watch: WatchContext,
  memory: PassMemory,
  atOnce: number,
  nodeName: string,
): Promise<boolean> {
  const startedAt = watch.now();
  const mempool = await readMergedMempool(watch, memory, nodeName);
  const head = await watch.adapter.fetchHead();
  failpoint("head-read");
  const cursor = (await findCursor(watch.database.db, watch)) ?? (await startCursor(watch, head));
  if (head.height < cursor.height) {
    const { height } = head;
    throw new NodeError("behind", `the node stands at ${height}, below ${cursor.height}`, { height });
  }
  const blocks = await readBlocks(watch, cursor, head, atOnce);
  const scan = withMempool(blocks, mempool, memory, cursor, head);
  if (scan !== null) {
    const unchanged = scan.mempool === null && memory.recordedMempool === "" && mempool.length === 0;
    memory.recordedMempool = null;
    const missing = await recordScan(watch, scan, memory.missing, watch.now());
    if (missing === null) return true;
    memory.missing = missing;
    // What is missing is looked for once more, although the mempool says nothing new.
    const noted = unchanged || scan.mempool !== null;
    if (noted && missing.size === 0) memory.recordedMempool = mempoolKey(mempool);
    failpoint("record-committed");
  }
  const at: BlockRef = scan?.to ?? cursor;
  const counted = `${at.hash} ${head.finalizedHeight}`;
  if (counted !== memory.confirmedTip) {
    if (!(await confirmDeposits(watch, at, head))) return true;
    memory.confirmedTip = counted;
  }
  const whole = at.height === head.height;
  if (at.height !== cursor.height) memory.progressWrittenAt = 0;
  await writeProgress(watch, memory, at, head.height, whole ? startedAt : null);
  return !whole;
}

/** What waits there, and what another of the network's nodes showed as waiting just before. */
async function readMergedMempool(
  watch: WatchContext,
  memory: PassMemory,
  node: string,
): Promise<readonly TransferObservation[]> {
  const fresh = await readMempool(watch);
  memory.mempoolEntries = mergeMempools(memory.mempoolEntries, fresh, node, watch.now());
  return [...memory.mempoolEntries.values()].flatMap(({ observations }) => observations);
}

/** The mempool counts only beside the newest block, and is recorded only when it says something new. */
function withMempool(
  blocks: Omit<Scan, "mempool"> | null,
  mempool: readonly TransferObservation[],
  memory: PassMemory,
  cursor: Cursor,
  head: ChainHead,
): Scan | null {
  const key = mempoolKey(mempool);
  const known = key === memory.recordedMempool;
  if (blocks !== null) {
    const silent = blocks.to.height < head.height || (known && key === "" && blocks.fork === null);
    return { ...blocks, mempool: silent ? null : mempool };
  }
  if (known) return null;
  const at = { height: cursor.height, hash: cursor.hash };
  const nothing = { fork: null, blocks: [], observations: [] };
  return { ...nothing, from: at, to: at, nodeHeight: head.height, mempool: mempool };
}

function mempoolKey(mempool: readonly TransferObservation[]): string {
  return mempool
    .map(({ txHash, position }) => `${txHash} ${position}`)
    .sort()
    .join();
}

async function writeProgress(
  watch: WatchContext,
  memory: PassMemory,
  at: BlockRef,
  nodeHeight: number,
  passStartedAt: Date | null,
): Promise<void> {
  const now = watch.now();
  if (!memory.hasStoredError && now.getTime() - memory.progressWrittenAt < PROGRESS_EVERY_MS) return;
  await updateWatchProgress(watch.database.db, watch, at, { nodeHeight, passStartedAt }, now);
  memory.progressWrittenAt = now.getTime();
}

/** The very first start: at the head, or below it, where the first address given out may have been paid meanwhile. */
async function startCursor(watch: WatchContext, head: ChainHead): Promise<Cursor> {
  const { adapter, database } = watch;
  const { db } = database;
  const since = await findFirstAddressTime(db, watch);
  const back = since === null ? 0 : estimateBlocksSince(since, watch.now(), adapter.data.blockSeconds);
  const start = Math.max(0, head.height - back);
  const heights = [0, ...FIRST_DEPTHS].map((depth) => start - depth).filter((height) => height >= 0);
  const hashes = await Promise.all(heights.map((height) => adapter.fetchBlockHash(height)));
  const blocks = heights
    .map((height, i) => ({ height, hash: hashes[i] ?? "" }))
    .filter(({ hash }) => hash !== "");
  const at = blocks.find(({ height }) => height === start);
  if (at === undefined) throw new NodeError("inconsistent", `the node does not have block ${start}`);
  await db.transaction(async (tx) => {
    await insertCursor(tx, watch, at, watch.now());
    await insertReadBlocks(tx, watch, blocks, 0);
  });
  const cursor = await findCursor(db, watch);
  if (!cursor) throw new Error("the cursor was not made");
  return cursor;
}

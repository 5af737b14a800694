import type { ChainHead } from "#lib/chains/blocks.ts";
import { FINALITY_EVERY_MS } from "#lib/chains/finality-rules.ts";
import type { MempoolView } from "#lib/chains/mempool-reader.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { isTracesRefused } from "#lib/chains/traces-refused.ts";
import type { FinalityProgress } from "#lib/domain/network-status/types.ts";
import { failpoint } from "#lib/platform/failpoint.ts";
import { confirmDeposits } from "../record/confirm-deposits.ts";
import {
  type Cursor,
  findCursor,
  updateWatchProgress,
  type WatchProgressUpdate,
} from "../record/cursor-store.ts";
import { recordScan, type Scan } from "../record/record-scan.ts";
import { hasPendingDeposits } from "../record/store.ts";
import type { BlockRef, WatchContext } from "../types.ts";
import { followFinality, isStaleHead } from "./node-trouble.ts";
import {
  blocksOf,
  isCountDue,
  isProgressDue,
  nextStep,
  type PassEnd,
  type PassMemory,
  type RecordedMempool,
} from "./pass-rules.ts";
import { filterOwn, isUnreadableBlocksError, observeOwn, readBlocks } from "./read-blocks.ts";
import { retryTransactions } from "./retry-transactions.ts";
import { skipBlocks } from "./skip-blocks.ts";
import { startCursor } from "./start-cursor.ts";
import { noteUntraced, retryUntraced } from "./untraced-blocks.ts";
import type { MempoolWatch } from "./watch-mempool.ts";
import { mempoolKey, mergeMempools } from "./watch-rules.ts";

interface PassOptions {
  /** Blocks that the node does not trace are read without traces, and set aside (noteUntraced). Absent: the next node is asked. */
  readonly mayLackTraces?: boolean;
  readonly mempool?: MempoolWatch | null;
  readonly stopping?: AbortSignal;
  /** No payment is expected (pace.ts). */
  readonly isIdle?: boolean;
}

/**
 * Runs one pass through one of the network's nodes. Returns true when there are more blocks to read at once.
 *
 * Reads: the head and the blocks after the cursor. It takes from `mempool` what was read of the node's mempool before the
 * head, and never waits for it. Without it, waiting transactions stay as they are recorded.
 * Writes, each in its own transaction: the cursor with the deposits of the blocks (recordScan), transactions that were set
 * aside and are due (retryTransactions), the confirmations and credits (confirmDeposits), and the progress.
 * When the process is killed between two of them, the next pass continues from the cursor. Nothing is credited twice.
 *
 * When all nodes are below the cursor, and none has a chain of more work, it writes progress and returns false, and throws once that lasts too long
 * (pass-rules.ts). When all nodes' newest blocks are too old, it records what they have and throws.
 * `stopping` cancels the requests under way. Throws NodeError or a database error.
 */
export async function runPass(
  watch: WatchContext,
  memory: PassMemory,
  { mempool = null, mayLackTraces = false, isIdle = false, stopping }: PassOptions = {},
): Promise<boolean> {
  const at = await findCursor(watch.database.db, watch);
  /** The cursor that the node in use is known to have. The work of a node that failed may have moved it. */
  let compared: BlockRef | null = at;
  let hasBegun = false;
  const lastBlock = async () => {
    if (hasBegun) compared = await findCursor(watch.database.db, watch);
    return compared;
  };
  const most = watch.adapter.data.batchBlocks;
  const blocksPerScan = blocksOf(memory.reading.scan, most);
  const decide = (end: PassEnd) => {
    const { reading, action } = nextStep(memory.reading, end, { most, now: watch.now() });
    memory.reading = reading;
    return action;
  };
  try {
    const more = await watch.adapter.nodes.withOne(
      { lastBlock, lastRead: memory.lastRead, ...(stopping && { signal: stopping }) },
      (node, name) => {
        hasBegun = true;
        return readAndRecord({ ...watch, adapter: { ...watch.adapter, ...node } }, memory, {
          blocksPerScan,
          mayLackTraces,
          isIdle,
          mempool,
          name,
          compared,
        });
      },
    );
    decide("recorded");
    return more;
  } catch (error) {
    const action = decide(describeEnd(error, { hasCursor: at !== null, mayLackTraces }));
    const again = { mempool, isIdle, ...(stopping && { stopping }) };
    if (action === "read_again") return runPass(watch, memory, again);
    if (action === "read_without_traces") return runPass(watch, memory, { ...again, mayLackTraces: true });
    if (action === "fail" || at === null) throw error;
    const nodeHeight = (error instanceof NodeError ? error.height : null) ?? at.height;
    // Another process may have stored that it lasts too long.
    if (at.error === null) await writeProgress(watch, memory, { at, nodeHeight, passStartedAt: null });
    return false;
  }
}

function describeEnd(
  error: unknown,
  { hasCursor, mayLackTraces }: { readonly hasCursor: boolean; readonly mayLackTraces: boolean },
): PassEnd {
  if (error instanceof NodeError && error.kind === "behind" && hasCursor) return "below";
  if (error instanceof NodeError && error.kind === "stale") return "stale";
  if (isTracesRefused(error) && !mayLackTraces) return "untraced";
  return isUnreadableBlocksError(error) ? "unreadable" : "failed";
}

interface PassNode {
  readonly mayLackTraces: boolean;
  readonly isIdle: boolean;
  readonly name: string;
  readonly blocksPerScan: number;
  readonly mempool: MempoolWatch | null;
  /** The cursor that the node was compared with. null: there was none. */
  readonly compared: BlockRef | null;
}

/** Records payments below the cursor that could not be recorded before. Each step may fail: then the next pass counts their confirmations. */
async function retryBelow(
  watch: WatchContext,
  memory: PassMemory,
  given: Parameters<typeof retryTransactions>[1],
): Promise<void> {
  const { at, nodeHeight } = given;
  if (await retryTransactions(watch, given)) memory.confirmations = { kind: "due" };
  if (await retryUntraced(watch, at, nodeHeight)) memory.confirmations = { kind: "due" };
  if (await recordLate(watch, { ...at, nodeHeight })) memory.confirmations = { kind: "due" };
}

/** A node may be asked for the blocks above `compared`, in place of its head. */
function fetchHead(
  { adapter }: WatchContext,
  compared: BlockRef | null,
  finality: boolean,
): Promise<ChainHead> {
  return adapter.blocks.fetchHead({ finality, ...(compared && { readUpTo: compared.height }) });
}

async function readAndRecord(
  watch: WatchContext,
  memory: PassMemory,
  { blocksPerScan, mayLackTraces, isIdle, mempool, name, compared }: PassNode,
): Promise<boolean> {
  const startedAt = watch.now();
  // Before the head: what left the mempool since is then in a block up to that head, or gone.
  const view = mempool?.view(name) ?? null;
  const asksFinality = isIdle || (await isFinalityDue(watch, memory, startedAt));
  const head = await fetchHead(watch, compared, asksFinality);
  failpoint("head-read");
  const found = await findCursor(watch.database.db, watch);
  // The node may be on another branch than the one that another process has read meanwhile.
  if (found !== null && found.hash !== compared?.hash) return true;
  const cursor = found ?? (await startCursor(watch, head, name, memory.startsWithoutHistory));
  if (cursor === null) return true;
  if (head.height < cursor.height && !(await watch.adapter.blocks.hasMoreWork(cursor))) {
    const { height } = head;
    const message = `the node is at height ${height}, below the cursor at ${cursor.height}`;
    throw new NodeError("behind", message, { height });
  }
  const blocks =
    (await skipBlocks(watch, memory, cursor, head)) ??
    (await readBlocks(watch, cursor, head, { atOnce: blocksPerScan, mayLackTraces, isIdle }));
  await noteUntraced(watch, blocks?.untraced ?? []);
  const waiting = await readWaiting(watch, memory, name, view);
  const scan = addMempool(blocks, waiting, memory.recordedMempool, { cursor, head });
  if (scan !== null) {
    const wasEmpty = isRecorded(memory.recordedMempool, "");
    const unchanged = scan.mempool === null && wasEmpty && waiting === null;
    memory.recordedMempool = { kind: "unknown" };
    const isShown = !mempool?.refusal();
    const missing = await recordScan(watch, scan, isShown ? memory.missing : null, watch.now());
    if (missing === null) {
      watch.log.debug({ height: scan.from.height }, "pass not recorded: the cursor has moved");
      return true;
    }
    memory.missing = missing;
    if (scan.mempool?.gone) memory.comparedList = view?.list ?? memory.comparedList;
    if (unchanged || scan.mempool !== null)
      memory.recordedMempool = { kind: "known", key: mempoolKey(waiting?.observations ?? []) };
    failpoint("record-committed");
  }
  const at: BlockRef = scan?.to ?? cursor;
  memory.lastRead.hash = at.hash;
  const isWhole = at.height === head.height;
  memory.newest = isWhole ? { hash: at.hash, time: head.time ?? null } : null;
  await retryBelow(watch, memory, {
    at: { height: at.height, hash: at.hash },
    nodeHeight: head.height,
    waiting: isWhole ? (waiting?.observations ?? null) : null,
  });
  if (!(await countConfirmations(watch, memory, { at, head, startedAt }))) return true;
  if (at.height !== cursor.height) requireProgress(memory);
  if (isWhole) checkHeadTime(watch, head);
  const finality = asksFinality ? noteFinality(watch, memory, { cursor, head, askedAt: startedAt }) : null;
  const passStartedAt = isWhole ? findCompleteSince(watch, mempool, startedAt) : null;
  const mempoolError = mempool?.refusal();
  await writeProgress(watch, memory, {
    at,
    nodeHeight: head.height,
    passStartedAt,
    mempoolError,
    head: { ...finality, headTime: head.time ?? null },
  });
  return !isWhole;
}

/** Counts confirmations and credits, if that is due. Returns false when another process has moved the cursor. */
async function countConfirmations(
  watch: WatchContext,
  memory: PassMemory,
  { at, head, startedAt }: { readonly at: BlockRef; readonly head: ChainHead; readonly startedAt: Date },
): Promise<boolean> {
  const tip = `${at.hash} ${head.finalizedHeight}`;
  if (!isCountDue(memory.confirmations, tip, startedAt)) return true;
  const counted = await confirmDeposits(watch, at, head);
  if (counted === "moved") return false;
  memory.confirmations =
    counted === "done" ? { kind: "counted", tip, at: startedAt.getTime() } : { kind: "due" };
  return true;
}

/** Makes the pass write its progress. An error in the cursor row stays noted. */
function requireProgress(memory: PassMemory): void {
  if (memory.progress.kind === "written") memory.progress = { kind: "due" };
}

const isRecorded = (recorded: RecordedMempool, key: string): boolean =>
  recorded.kind === "known" && recorded.key === key;

/** Whether the pass asks which block is final: a deposit waits for it, or it was not asked for a while. */
const isFinalityDue = async (watch: WatchContext, memory: PassMemory, now: Date): Promise<boolean> =>
  now.getTime() - memory.finalityAskedAt >= FINALITY_EVERY_MS ||
  (await hasPendingDeposits(watch.database.db, watch));

/** Throws NodeError("stale") when what was read whole is too old: another node may have newer blocks. */
function checkHeadTime({ adapter, now }: WatchContext, head: ChainHead): void {
  if (!isStaleHead(head, adapter.data, now())) return;
  const { height, time } = head;
  const message = `the newest block of the node, ${height}, is of ${time?.toISOString()}, too long ago`;
  throw new NodeError("stale", message, { height });
}

/** Returns the finality at this head. The pass writes its progress when finality begins or ends to be late. */
function noteFinality(
  watch: WatchContext,
  memory: PassMemory,
  { cursor, head, askedAt }: { readonly cursor: Cursor; readonly head: ChainHead; readonly askedAt: Date },
): FinalityProgress {
  memory.finalityAskedAt = askedAt.getTime();
  const finality = followFinality(cursor, head, watch.adapter.data, watch.now());
  if (finality.finalityLate !== cursor.finalityLate) {
    logFinality(watch, head, finality);
    requireProgress(memory);
  }
  return finality;
}

function logFinality(
  { log }: WatchContext,
  { height }: ChainHead,
  { finalizedHeight, finalizedSince, finalityLate }: FinalityProgress,
): void {
  if (finalityLate)
    log.warn({ height, finalizedHeight, finalizedSince }, "finality is late: nothing is credited");
  else log.info({ height, finalizedHeight }, "finality is on time again");
}

/** The start of a complete pass. null: the mempool was not read. A network without a mempool has nothing to wait for. */
function findCompleteSince(watch: WatchContext, mempool: MempoolWatch | null, startedAt: Date): Date | null {
  if (mempool !== null) return mempool.findCompleteSince(startedAt);
  return watch.adapter.mempool ? null : startedAt;
}

type Waiting = NonNullable<Scan["mempool"]>;

/** Returns the transfers read of this node's mempool, and those that other nodes showed shortly before. null: nothing was read. */
async function readWaiting(
  watch: WatchContext,
  memory: PassMemory,
  node: string,
  view: MempoolView | null,
): Promise<Waiting | null> {
  if (view === null && memory.mempoolEntries.size === 0) return null;
  const fresh = await observeOwn(watch, view?.transfers ?? []);
  memory.mempoolEntries = mergeMempools(
    memory.mempoolEntries,
    fresh,
    view === null ? null : node,
    watch.now(),
  );
  const observations = [...memory.mempoolEntries.values()].flatMap((entry) => entry.observations);
  const gone = view !== null && view.list > memory.comparedList ? new Set(view.gone) : null;
  return { observations, gone };
}

/**
 * Adds the mempool to a scan. The mempool is only valid together with the newest block, and it is only recorded when it
 * has changed, or when a new list does not name a waiting deposit. Returns null when there is nothing to record.
 */
function addMempool(
  blocks: Omit<Scan, "mempool"> | null,
  mempool: Waiting | null,
  recorded: RecordedMempool,
  { cursor, head }: { readonly cursor: Cursor; readonly head: ChainHead },
): Scan | null {
  const key = mempoolKey(mempool?.observations ?? []);
  const unchanged = mempool === null || (isRecorded(recorded, key) && (mempool.gone?.size ?? 0) === 0);
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
  if (!isProgressDue(memory.progress, now)) return;
  await updateWatchProgress(watch.database.db, watch, progress, now);
  if (memory.progress.kind !== "failed") memory.progress = { kind: "written", at: now.getTime() };
}

/**
 * Records the transfers in blocks up to the cursor that the node reported after their block was scanned. The cursor stays
 * where it is. Returns whether there were any: their confirmations must be counted. Throws NodeError.
 */
async function recordLate(
  watch: WatchContext,
  cursor: BlockRef & { readonly nodeHeight: number },
): Promise<boolean> {
  const at = { height: cursor.height, hash: cursor.hash };
  const late = await watch.adapter.late?.list(at.height, filterOwn(watch));
  if (late === undefined) return false;
  if (late.transfers.length > 0) {
    // Recorded transfers must be in the cursor's branch: otherwise a later reorg would not find them.
    if ((await watch.adapter.blocks.fetchHash(at.height)) !== at.hash) return false;
    const observations = await observeOwn(watch, late.transfers);
    const { nodeHeight } = cursor;
    const scan = { from: at, to: at, fork: null, blocks: [], observations, nodeHeight, mempool: null };
    // A second look asks about some of our addresses, so a transaction may pay others too.
    if ((await recordScan(watch, { ...scan, isPartial: true }, new Set(), watch.now())) === null)
      return false;
  }
  late.done();
  return late.transfers.length > 0;
}

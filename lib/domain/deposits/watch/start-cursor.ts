import type { ChainHead } from "#lib/chains/blocks.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { findFirstAddressTime } from "#lib/domain/wallets/queries.ts";
import { type Cursor, insertCursor, insertReadBlocks } from "../record/cursor-store.ts";
import { estimateBlocksSince } from "../rules.ts";
import type { BlockRef, WatchContext } from "../types.ts";
import { toNodeError } from "./read-blocks.ts";

/** Depths below the first cursor whose block hashes are stored: a reorg can go below the first cursor. */
const FIRST_DEPTHS = [1, 2, 4, 8, 16, 32, 64, 128];

/**
 * Inserts the first cursor of a network. It is at the head, or lower when addresses were allocated before: payments to
 * them may be in older blocks. If every node lacks the oldest of these blocks, the cursor starts where the node with the
 * longest history can, and its row keeps the gap until the operator accepts it. `startsWithoutHistory` remembers what
 * was found about each node. Returns null and changes nothing when another process has inserted the cursor: the node was
 * not compared with that one. Throws NodeError while another node may have the blocks.
 */
export async function startCursor(
  watch: WatchContext,
  head: ChainHead,
  nodeName: string,
  startsWithoutHistory: Map<string, number>,
): Promise<Cursor | null> {
  const { adapter, database, now } = watch;
  const { db } = database;
  const first = adapter.data.firstHeight ?? 0;
  const since = await findFirstAddressTime(db, watch.env, [watch.network]);
  const back = since === null ? 0 : estimateBlocksSince(since, now(), adapter.data.blockSeconds);
  const wanted = Math.max(first, head.height - back);
  const start = await findStart((height) => readParentHash(watch, height + 1), wanted, head);
  if (start.height > wanted) {
    startsWithoutHistory.set(nodeName, start.height);
    checkNoLongerHistory(watch, startsWithoutHistory, { nodeName, wanted });
  }
  const gap = start.height > wanted ? { from: wanted + 1, to: start.height } : null;
  const below = FIRST_DEPTHS.map((depth) => start.height - depth).filter((height) => height >= first);
  const older = await Promise.all(below.map((height) => findBlock(watch, height)));
  const cursor = await db.transaction(async (tx) => {
    const inserted = await insertCursor(tx, watch, { ...start, gap }, now());
    if (inserted === null) return null;
    await insertReadBlocks(tx, watch, [start, ...older.flatMap((block) => block ?? [])], 0);
    return inserted;
  });
  if (cursor !== null && gap !== null) watch.log.error(gap, "blocks not read: no node has them");
  return cursor;
}

/** Throws NodeError while a node was not asked yet, or has more history than this one. */
function checkNoLongerHistory(
  { adapter }: WatchContext,
  starts: ReadonlyMap<string, number>,
  { nodeName, wanted }: { readonly nodeName: string; readonly wanted: number },
): void {
  const names = new Set(adapter.nodes.report().map(({ name }) => name));
  const start = starts.get(nodeName) ?? 0;
  const isLongest = [...starts.values()].every((other) => start <= other);
  if (starts.size >= names.size && isLongest) return;
  throw new NodeError("inconsistent", `${nodeName} does not have the blocks from ${wanted + 1} to ${start}`);
}

/**
 * Returns the lowest block from `wanted` up to the head from which all blocks can be read. `readHash` returns the hash
 * at a height if the node can read the block after it, and null if it refuses. A node has every block above one that it
 * has, so the range is halved. Throws NodeError when the node cannot read its newest block either, or has a block that
 * it refused before: it then fails for another reason, and no block may be skipped.
 */
export async function findStart(
  readHash: (height: number) => Promise<string | null>,
  wanted: number,
  head: BlockRef,
): Promise<BlockRef> {
  if (wanted >= head.height) return { height: head.height, hash: head.hash };
  const hash = await readHash(wanted);
  if (hash !== null) return { height: wanted, hash };
  const newest = head.height - 1;
  const newestHash = newest > wanted ? await readHash(newest) : null;
  if (newestHash === null) throw new NodeError("inconsistent", `the node cannot read block ${head.height}`);
  let missing = wanted;
  let found = { height: newest, hash: newestHash };
  while (found.height - missing > 1) {
    const height = Math.floor((found.height + missing) / 2);
    const hash = await readHash(height);
    if (hash === null) missing = height;
    else found = { height, hash };
  }
  if ((await readHash(missing)) !== null) {
    throw new NodeError("inconsistent", `the node has block ${missing + 1}, which it refused before`);
  }
  return found;
}

/** Reads the block and returns its parent's hash. Null: the node does not have the block. Throws NodeError. */
async function readParentHash({ adapter }: WatchContext, height: number): Promise<string | null> {
  const range = { from: height, to: height };
  try {
    return (await adapter.blocks.scan(range, async () => new Set())).parentHash;
  } catch (error) {
    if (isMissing(error)) return null;
    throw toNodeError(error, range);
  }
}

/** Returns the block of the chain at a height, or null when the node does not have it. Throws NodeError. */
async function findBlock({ adapter }: WatchContext, height: number): Promise<BlockRef | null> {
  try {
    const hash = await adapter.blocks.fetchHash(height);
    return hash === null ? null : { height, hash };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** How nodes of every family answer for a block that they do not have. */
function isMissing(error: unknown): boolean {
  return error instanceof NodeError && (error.kind === "refused" || error.kind === "inconsistent");
}

import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { BlockRange } from "#lib/chains/blocks.ts";
import type { NetworkScope } from "#lib/chains/networks.ts";
import type { FinalityProgress } from "#lib/domain/network-status/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { watchCursors, watchedBlocks } from "../tables.ts";
import type { BlockRef } from "../types.ts";

export type Cursor = typeof watchCursors.$inferSelect;

const isCursorOf = ({ env, network }: NetworkScope) =>
  and(eq(watchCursors.env, env), eq(watchCursors.network, network));
const isCursorAt = (scope: NetworkScope, { height, hash }: BlockRef) =>
  and(isCursorOf(scope), eq(watchCursors.height, height), eq(watchCursors.hash, hash));
const isBlockOf = ({ env, network }: NetworkScope) =>
  and(eq(watchedBlocks.env, env), eq(watchedBlocks.network, network));

/** The cursor of a network without a complete pass: below every block. Its row holds only an error. */
const BEFORE_FIRST_PASS: BlockRef = { height: -1, hash: "" };

/** Returns the cursor, or null before the first pass. */
export async function findCursor(db: Db, scope: NetworkScope): Promise<Cursor | null> {
  const row = await findWatchState(db, scope);
  return row && row.height > BEFORE_FIRST_PASS.height ? row : null;
}

/** As findCursor, but also returns the row that holds only the error of a first pass that failed. */
export async function findWatchState(db: Db, scope: NetworkScope): Promise<Cursor | null> {
  const [row] = await db.select().from(watchCursors).where(isCursorOf(scope));
  return row ?? null;
}

/** The first cursor of a network. */
export interface FirstCursor extends BlockRef {
  /** Blocks below it that should be read and that no node has. null: none. */
  readonly gap: BlockRange | null;
}

/**
 * Inserts the first cursor. A row that holds only an error becomes the cursor. Returns it, or null when another
 * process has inserted one: nothing is changed then.
 */
export async function insertCursor(
  tx: Tx,
  { env, network }: NetworkScope,
  { height, hash, gap }: FirstCursor,
  now: Date,
): Promise<Cursor | null> {
  const gapFrom = gap?.from ?? null;
  const gapTo = gap?.to ?? null;
  const at = { height, hash, nodeHeight: height, gapFrom, gapTo, updatedAt: now };
  const [inserted] = await tx
    .insert(watchCursors)
    .values({ env, network, ...at })
    .onConflictDoUpdate({
      target: [watchCursors.env, watchCursors.network],
      set: at,
      setWhere: eq(watchCursors.height, BEFORE_FIRST_PASS.height),
    })
    .returning();
  return inserted ?? null;
}

/** Deletes the note of blocks that were never read. Returns them, or null when there was none. */
export async function deleteGap(tx: Tx, scope: NetworkScope, now: Date): Promise<BlockRange | null> {
  const [row] = await tx.select().from(watchCursors).where(isCursorOf(scope)).for("update");
  if (!row || row.gapFrom === null || row.gapTo === null) return null;
  await tx.update(watchCursors).set({ gapFrom: null, gapTo: null, updatedAt: now }).where(isCursorOf(scope));
  return { from: row.gapFrom, to: row.gapTo };
}

/**
 * Moves the cursor from `from` to `to` and locks its row until the transaction ends. Returns false and changes nothing
 * when the cursor is no longer at `from`.
 */
export async function moveCursor(
  tx: Tx,
  scope: NetworkScope,
  { from, to, nodeHeight }: { readonly from: BlockRef; readonly to: BlockRef; readonly nodeHeight: number },
  now: Date,
): Promise<boolean> {
  const moved = await tx
    .update(watchCursors)
    .set({ height: to.height, hash: to.hash, nodeHeight, updatedAt: now })
    .where(isCursorAt(scope, from))
    .returning({ height: watchCursors.height });
  return moved.length === 1;
}

/** Locks the cursor row. Returns false if another process has moved the cursor. */
export async function lockCursor(tx: Tx, scope: NetworkScope, at: BlockRef): Promise<boolean> {
  const rows = await tx
    .select({ height: watchCursors.height })
    .from(watchCursors)
    .where(isCursorAt(scope, at))
    .for("update");
  return rows.length === 1;
}

/** The progress that a pass reports: its cursor, the node's height and, when the pass was complete, its start. */
export interface WatchProgressUpdate {
  readonly at: BlockRef;
  readonly nodeHeight: number;
  /** The start of the complete pass. Null: the pass was not complete. The stored start is not changed. */
  readonly passStartedAt: Date | null;
  /** Why the node does not show its mempool. undefined: not known. */
  readonly mempoolError?: string | null | undefined;
  /** Absent: the pass did not come so far, or did not ask which block is final. The stored values are not changed. */
  readonly head?: Partial<FinalityProgress> & { readonly headTime: Date | null };
}

/** Stores the progress of a pass and clears the error. Does nothing when another process has moved the cursor. */
export async function updateWatchProgress(
  db: Db,
  scope: NetworkScope,
  { at, nodeHeight, passStartedAt, mempoolError, head }: WatchProgressUpdate,
  now: Date,
): Promise<void> {
  await db
    .update(watchCursors)
    .set({
      nodeHeight,
      ...head,
      ...(passStartedAt && { passStartedAt }),
      mempoolError,
      error: null,
      updatedAt: now,
    })
    .where(isCursorAt(scope, at));
}

/** Stores the error of a pass. Before the first complete pass it inserts a row for it. */
export async function upsertWatchError(
  db: Db,
  { env, network }: NetworkScope,
  error: string,
  now: Date,
): Promise<void> {
  await db
    .insert(watchCursors)
    .values({
      env,
      network,
      ...BEFORE_FIRST_PASS,
      nodeHeight: BEFORE_FIRST_PASS.height,
      error,
      updatedAt: now,
    })
    .onConflictDoUpdate({
      target: [watchCursors.env, watchCursors.network],
      set: { error, updatedAt: now },
    });
}

/** Stores the hashes of blocks that were read, and deletes those below `oldest`. */
export async function insertReadBlocks(
  tx: Tx,
  { env, network }: NetworkScope,
  blocks: readonly BlockRef[],
  oldest: number,
): Promise<void> {
  if (blocks.length === 0) return;
  await tx
    .insert(watchedBlocks)
    .values(blocks.map(({ height, hash }) => ({ env, network, height, hash })))
    .onConflictDoUpdate({
      target: [watchedBlocks.env, watchedBlocks.network, watchedBlocks.height],
      set: { hash: sql`excluded.hash` },
    });
  await tx.delete(watchedBlocks).where(and(isBlockOf({ env, network }), lt(watchedBlocks.height, oldest)));
}

export async function deleteBlocksAbove(tx: Tx, scope: NetworkScope, height: number): Promise<void> {
  await tx.delete(watchedBlocks).where(and(isBlockOf(scope), gt(watchedBlocks.height, height)));
}

/** Lists the stored blocks below a height, newest first. */
export async function listBlocksBelow(
  db: Db,
  scope: NetworkScope,
  height: number,
  limit: number,
): Promise<readonly BlockRef[]> {
  return db
    .select({ height: watchedBlocks.height, hash: watchedBlocks.hash })
    .from(watchedBlocks)
    .where(and(isBlockOf(scope), lt(watchedBlocks.height, height)))
    .orderBy(desc(watchedBlocks.height))
    .limit(limit);
}

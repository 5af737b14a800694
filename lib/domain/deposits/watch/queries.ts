import { isNotNull, sql } from "drizzle-orm";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode, NetworkScope } from "#lib/chains/networks.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { deposits, watchCursors } from "../tables.ts";
import type { BlockRange } from "../types.ts";
import { findWatchState } from "./cursor-store.ts";
import type { FinalityProgress } from "./node-trouble.ts";

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
  /** null: the network was never read. */
  readonly progress: WatchProgress | null;
  /** How many blocks were never read because no node had them at the first pass. */
  readonly gapBlocks: number;
}

/**
 * Measures every network that is on: how far its watcher has read, and how many deposits wait for confirmations or for
 * the operator. Two queries, independent of the number of credited deposits.
 */
export async function measureDeposits(db: Db, networks: NetworkRegistry) {
  const [cursors, open] = await Promise.all([listWatchCursors(db), countOpenDeposits(db)]);
  const watching = networks.all().map(({ env, network }): WatchMeasurement => {
    const cursor = cursors.find((one) => one.env === env && one.network === network);
    if (cursor === undefined) return { env, network, failing: true, progress: null, gapBlocks: 0 };
    const failing = cursor.error !== null || cursor.passStartedAt === null;
    // A negative height: no pass was complete yet. The row then holds only the error.
    const progress = cursor.height < 0 ? null : { ...cursor, finality: toFinality(cursor) };
    const gap = toGap(cursor);
    return { env, network, failing, progress, gapBlocks: gap === null ? 0 : gap.to - gap.from + 1 };
  });
  return { watching, open };
}

/** The watch status of one network. */
interface WatchStatus {
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

/** Returns the watch status of a network, or null when it was never watched. */
export async function findWatchStatus(db: Db, scope: NetworkScope): Promise<WatchStatus | null> {
  const row = await findWatchState(db, scope);
  if (row === null) return null;
  const { height, error, mempoolError, updatedAt } = row;
  const gap = toGap(row);
  const finality = toFinality(row);
  return { height: height < 0 ? null : height, error, mempoolError, gap, finality, updatedAt };
}

/** Lists the networks with blocks that were never read because no node had them at the first pass. */
export async function listWatchGaps(db: Db): Promise<readonly (NetworkScope & BlockRange)[]> {
  const rows = await db.select().from(watchCursors).where(isNotNull(watchCursors.gapFrom));
  return rows.flatMap((row) => {
    const gap = toGap(row);
    return gap === null ? [] : [{ env: row.env, network: row.network, ...gap }];
  });
}

function toFinality({ finalizedHeight, finalizedSince, finalityLate }: FinalityProgress): FinalityProgress {
  return { finalizedHeight, finalizedSince, finalityLate };
}

function toGap({ gapFrom, gapTo }: { gapFrom: number | null; gapTo: number | null }): BlockRange | null {
  return gapFrom === null || gapTo === null ? null : { from: gapFrom, to: gapTo };
}

/** Counts deposits that wait for confirmations or are held, by network. Credited ones are too many to count. */
async function countOpenDeposits(
  db: Db,
): Promise<readonly (NetworkScope & { readonly state: "waiting" | "held"; readonly count: number })[]> {
  // Each half has its own partial index (deposits_pending, deposits_unmatched).
  type Row = { env: Env; network: NetworkCode; state: "waiting" | "held"; count: string };
  const { rows } = await db.execute<Row>(sql`
    select env, network, 'waiting' as state, count(*) from ${deposits}
      where status = 0 group by env, network
    union all
    select env, network, 'held', count(*) from ${deposits}
      where unmatched_reason is not null and status in (0, 3) and status = 3 group by env, network`);
  return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }));
}

/** Lists one row for each network that was ever watched, including those that are off now. */
function listWatchCursors(db: Db) {
  return db
    .select({
      env: watchCursors.env,
      network: watchCursors.network,
      height: watchCursors.height,
      nodeHeight: watchCursors.nodeHeight,
      passStartedAt: watchCursors.passStartedAt,
      error: watchCursors.error,
      headTime: watchCursors.headTime,
      finalizedHeight: watchCursors.finalizedHeight,
      finalizedSince: watchCursors.finalizedSince,
      finalityLate: watchCursors.finalityLate,
      gapFrom: watchCursors.gapFrom,
      gapTo: watchCursors.gapTo,
    })
    .from(watchCursors);
}

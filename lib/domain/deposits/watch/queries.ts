import { sql } from "drizzle-orm";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { deposits, watchCursors } from "../tables.ts";
import type { NetworkScope } from "../types.ts";
import { findWatchState } from "./cursor-store.ts";

/** How far a network has been read. */
interface WatchProgress {
  readonly height: number;
  readonly nodeHeight: number;
  /** Start of the last complete pass; null: none was complete yet. */
  readonly passStartedAt: Date | null;
}

/** The state of one network that is on, whichever process watches it. */
export interface WatchMeasurement extends NetworkScope {
  /** The last pass failed, or no pass was ever complete. */
  readonly failing: boolean;
  /** null: the network was never read. */
  readonly progress: WatchProgress | null;
}

/**
 * Measures every network that is on: how far its watcher has read, and how many deposits wait for confirmations or for
 * the operator. Two queries, independent of the number of credited deposits.
 */
export async function measureDeposits(db: Db, networks: NetworkRegistry) {
  const [cursors, open] = await Promise.all([listWatchCursors(db), countOpenDeposits(db)]);
  const watching = networks.all().map(({ env, network }): WatchMeasurement => {
    const cursor = cursors.find((one) => one.env === env && one.network === network);
    if (cursor === undefined) return { env, network, failing: true, progress: null };
    const failing = cursor.error !== null || cursor.passStartedAt === null;
    // A negative height: no pass was complete yet. The row then holds only the error.
    return { env, network, failing, progress: cursor.height < 0 ? null : cursor };
  });
  return { watching, open };
}

/**
 * Returns the watch status of a network: the height that was read last (null before the first complete pass) and the
 * error that stops the watcher. Returns null when the network was never watched.
 */
export async function findWatchStatus(
  db: Db,
  scope: NetworkScope,
): Promise<{ height: number | null; error: string | null; updatedAt: Date } | null> {
  const row = await findWatchState(db, scope);
  return row && { height: row.height < 0 ? null : row.height, error: row.error, updatedAt: row.updatedAt };
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
    })
    .from(watchCursors);
}

import { and, eq, isNotNull } from "drizzle-orm";
import type { BlockRange } from "#lib/chains/blocks.ts";
import { NETWORKS, type NetworkScope } from "#lib/chains/networks.ts";
import { watchCursors } from "#lib/domain/deposits/tables.ts";
import { type Db, oncePerDatabase } from "#lib/platform/db/connection.ts";
import { isUnwatched, lateNetworkName, qualifiedNetworkName } from "./rules.ts";
import type { FinalityProgress, NetworkTroubles, WatchMeasurement, WatchStatus } from "./types.ts";

/** The networks that are on: their adapters, or their configuration alone. */
interface NetworkList {
  all(): readonly NetworkScope[];
}

/** Every web process runs it every few seconds. */
const watchProgress = oncePerDatabase((db) =>
  db
    .select({
      env: watchCursors.env,
      network: watchCursors.network,
      passStartedAt: watchCursors.passStartedAt,
      watchError: watchCursors.error,
      finalityLate: watchCursors.finalityLate,
    })
    .from(watchCursors)
    .prepare("watch_progress"),
);

/** Lists the networks in trouble, whichever process watches them. One query. */
export async function listNetworkTroubles(
  { db, networks }: { readonly db: Db; readonly networks: NetworkList },
  now: Date,
): Promise<NetworkTroubles> {
  const progress = await watchProgress(db).execute();
  const started = new Set(progress.map(({ env, network }) => qualifiedNetworkName(env, network)));
  const unwatched = progress.filter((one) => isUnwatched(one, NETWORKS[one.network].pollMs, now));
  const notStarted = networks
    .all()
    .filter(({ env, network }) => !started.has(qualifiedNetworkName(env, network)));
  const late = progress.filter(({ finalityLate }) => finalityLate);
  return {
    unwatched: [...unwatched, ...notStarted]
      .map(({ env, network }) => qualifiedNetworkName(env, network))
      .sort(),
    late: late.map(({ env, network }) => lateNetworkName(env, network)).sort(),
  };
}

/** Measures every network that is on: how far its watcher has read. One query. */
export async function measureWatching(db: Db, networks: NetworkList): Promise<readonly WatchMeasurement[]> {
  const cursors = await db.select().from(watchCursors);
  return networks.all().map(({ env, network }): WatchMeasurement => {
    const cursor = cursors.find((one) => one.env === env && one.network === network);
    if (cursor === undefined) return { env, network, failing: true, progress: null, gapBlocks: 0 };
    const failing = cursor.error !== null || cursor.passStartedAt === null;
    // A negative height: no pass was complete yet. The row then holds only the error.
    const progress = cursor.height < 0 ? null : { ...cursor, finality: toFinality(cursor) };
    const gap = toGap(cursor);
    return { env, network, failing, progress, gapBlocks: gap === null ? 0 : gap.to - gap.from + 1 };
  });
}

/** Returns the watch status of a network, or null when it was never watched. */
export async function findWatchStatus(db: Db, { env, network }: NetworkScope): Promise<WatchStatus | null> {
  const isOf = and(eq(watchCursors.env, env), eq(watchCursors.network, network));
  const [row] = await db.select().from(watchCursors).where(isOf);
  if (row === undefined) return null;
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

import { sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { deposits, watchCursors } from "./tables.ts";
import type { NetworkScope } from "./types.ts";

/** Deposits that nothing has ended yet, by network; what is credited is not counted: it would be read whole. */
export async function countOpenDeposits(
  db: Db,
): Promise<readonly (NetworkScope & { readonly state: "waiting" | "held"; readonly count: number })[]> {
  // Each half has a partial index of its own (deposits_pending, deposits_unmatched).
  type Row = { env: Env; network: NetworkCode; state: "waiting" | "held"; count: string };
  const { rows } = await db.execute<Row>(sql`
    select env, network, 'waiting' as state, count(*) from ${deposits}
      where status = 0 group by env, network
    union all
    select env, network, 'held', count(*) from ${deposits}
      where unmatched_reason is not null and status in (0, 3) and status = 3 group by env, network`);
  return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }));
}

/** Every watcher's standing: one row per network that was ever watched, of those too that are off by now. */
export function listWatchCursors(db: Db) {
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

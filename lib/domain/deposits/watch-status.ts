import type { Db } from "#lib/platform/db/connection.ts";
import { findWatchState } from "./record/store.ts";
import type { NetworkScope } from "./types.ts";

/** Where the watcher of a network stands (`height` null: before its first pass) and what stops it; null: never tried. */
export async function findWatchStatus(
  db: Db,
  scope: NetworkScope,
): Promise<{ height: number | null; error: string | null; updatedAt: Date } | null> {
  const row = await findWatchState(db, scope);
  return row && { height: row.height < 0 ? null : row.height, error: row.error, updatedAt: row.updatedAt };
}

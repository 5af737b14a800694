import { watchCursors } from "#lib/domain/deposits/tables.ts";
import { type Db, oncePerDatabase } from "#lib/platform/db/connection.ts";

/** Asked every few seconds by every web process. */
const standings = oncePerDatabase((db) =>
  db
    .select({
      env: watchCursors.env,
      network: watchCursors.network,
      passStartedAt: watchCursors.passStartedAt,
      watchError: watchCursors.error,
    })
    .from(watchCursors)
    .prepare("watch_standings"),
);

/** How far each network's watcher came. */
export function readStandings(db: Db) {
  return standings(db).execute();
}

import type { Db } from "#lib/db/connection.ts";
import { countOpenDeposits, selectStandings } from "./gauge-store.ts";

/**
 * Where the watchers of all processes stand, and how many deposits wait for confirmations or for a person. Two queries,
 * whatever has been credited so far.
 */
export async function measureDeposits(db: Db) {
  const [standings, open] = await Promise.all([selectStandings(db), countOpenDeposits(db)]);
  // Before its first pass a watcher stands nowhere.
  return { standings: standings.filter(({ height }) => height >= 0), open };
}

import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { countOpenDeposits, listWatchCursors } from "./gauge-store.ts";
import type { NetworkScope } from "./types.ts";

/** How far a network was read. */
interface WatchProgress {
  readonly height: number;
  readonly nodeHeight: number;
  /** Start of the last whole pass; null: there was none yet. */
  readonly passStartedAt: Date | null;
}

/** What is known of the watching of a network that is on, whichever process watches it. */
export interface WatchMeasurement extends NetworkScope {
  /** It cannot be watched now, or was never read whole. */
  readonly failing: boolean;
  /** null: it was never read. */
  readonly progress: WatchProgress | null;
}

/**
 * Where the watchers of all processes stand, for every network that is on, and how many deposits wait for confirmations
 * or for a person. Two queries, whatever has been credited so far.
 */
export async function measureDeposits(db: Db, networks: NetworkRegistry) {
  const [rows, open] = await Promise.all([listWatchCursors(db), countOpenDeposits(db)]);
  const watching = networks.all().map(({ env, network }): WatchMeasurement => {
    const row = rows.find((one) => one.env === env && one.network === network);
    if (row === undefined) return { env, network, failing: true, progress: null };
    const failing = row.error !== null || row.passStartedAt === null;
    // Below every block: what went wrong is known, and nothing else.
    return { env, network, failing, progress: row.height < 0 ? null : row };
  });
  return { watching, open };
}

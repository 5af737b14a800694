import type { NetworkScope } from "#lib/chains/networks.ts";
import { PostgresClient } from "#lib/platform/db/availability.ts";

/** How long the lock's query may take, which never waits for another one. */
const ANSWER_MS = 10_000;
/**
 * PostgreSQL ends a session that asks nothing for so long: that of a frozen process, or of a machine that is gone. A pass that takes longer loses the
 * lock, and isHeld() says so.
 */
const SILENT = "20s";

/** The name of the sessions that hold locks of networks. Commands count what these sessions hold. */
export const WATCHER = "paylink watcher";

/** The text whose hash is the advisory lock of a network. */
export const lockNameOf = ({ env, network }: NetworkScope): string => `${WATCHER} ${env} ${network}`;

/** At most one process holds the lock of a network in an environment, while its connection is open. */
export interface WatchLock {
  isHeld(): boolean;
  release(): Promise<void>;
}

/**
 * Takes the lock on a separate connection, for a few passes. A worker takes its locks with openWatchSession. Returns null when another process holds it. PostgreSQL releases the lock when
 * the connection ends, so a killed watcher leaves no lock. Throws when the database does not answer.
 */
export async function takeWatchLock(databaseUrl: string, network: NetworkScope): Promise<WatchLock | null> {
  const client = new PostgresClient({
    connectionString: databaseUrl,
    application_name: WATCHER,
    query_timeout: ANSWER_MS,
  });
  let held = false;
  client.on("error", () => {
    held = false;
  });
  client.on("end", () => {
    held = false;
  });
  const release = async () => {
    held = false;
    await client.end().catch(() => {});
  };
  try {
    await client.connect();
    const { rows } = await client.query<{ taken: boolean }>(
      "select set_config('idle_session_timeout', $2, false), pg_try_advisory_lock(hashtextextended($1, 0)) as taken",
      [lockNameOf(network), SILENT],
    );
    held = rows[0]?.taken === true;
  } catch (error) {
    await release();
    throw error;
  }
  if (!held) {
    await release();
    return null;
  }
  return { isHeld: () => held, release };
}

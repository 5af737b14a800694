import pg from "pg";
import type { NetworkScope } from "../types.ts";

/** Held by at most one process for a network in an environment, for as long as its connection lives. */
export interface WatchLock {
  isHeld(): boolean;
  release(): Promise<void>;
}

/**
 * Takes the lock on a connection of its own; null when another process holds it. PostgreSQL gives it up with the
 * connection, so a killed watcher leaves nothing behind. Throws when the database does not answer.
 */
export async function takeWatchLock(
  databaseUrl: string,
  { env, network }: NetworkScope,
): Promise<WatchLock | null> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: "paylink watcher",
    keepAlive: true,
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
      "select pg_try_advisory_lock(hashtextextended($1, 0)) as taken",
      [`paylink watcher ${env} ${network}`],
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

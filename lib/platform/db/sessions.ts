import { sql } from "drizzle-orm";
import type { Db } from "./connection.ts";

/** The sessions of the processes that run, and the locks of the networks that they watch. */
export interface Sessions {
  readonly server: number;
  /** Networks that are watched. */
  readonly watchers: number;
  readonly signer: number;
}

/**
 * Counts the sessions of this database by the name that their program gave. PostgreSQL shows these names to every role. A server is counted
 * by its sessions that listen: they are never PgBouncer's, which keeps the others for minutes after the server.
 */
export async function countSessions(db: Db): Promise<Sessions> {
  const { rows } = await db.execute<{ name: string; count: number }>(sql`
    select application_name as name, count(*)::integer as count from pg_stat_activity
    where datname = current_database() group by application_name
    union all
    select 'watched networks', count(*)::integer from pg_locks l join pg_stat_activity using (pid)
    where datname = current_database() and application_name = 'paylink watcher' and locktype = 'advisory'
      and mode = 'ExclusiveLock' and granted`);
  const countOf = (name: string) => rows.find((row) => row.name === name)?.count ?? 0;
  return {
    server: countOf("paylink listener"),
    watchers: countOf("watched networks"),
    signer: countOf("paylink signer"),
  };
}

import { sql } from "drizzle-orm";
import type { Db } from "./connection.ts";

/** The sessions of the processes that run. */
export interface Sessions {
  readonly server: number;
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
    where datname = current_database() group by application_name`);
  const countOf = (name: string) => rows.find((row) => row.name === name)?.count ?? 0;
  return {
    server: countOf("paylink listener"),
    watchers: countOf("paylink watcher"),
    signer: countOf("paylink signer"),
  };
}

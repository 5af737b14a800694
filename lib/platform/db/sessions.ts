import { sql } from "drizzle-orm";
import type { Db } from "./connection.ts";

/**
 * Counts the sessions of this database by the name that their program gave: "paylink", "paylink watcher". PostgreSQL shows these
 * names to every role.
 */
export async function countSessions(db: Db): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.execute<{ name: string; count: number }>(sql`
    select application_name as name, count(*)::integer as count from pg_stat_activity
    where datname = current_database() group by application_name`);
  return new Map(rows.map(({ name, count }) => [name, count]));
}

import { drizzle } from "drizzle-orm/node-postgres";
import type { Database, Db } from "#lib/platform/db/connection.ts";

/** Runs a query and returns PostgreSQL's plan of it, with the rows that each step has read. */
export async function planOf(
  { database }: { readonly database: Database },
  read: (db: Db) => Promise<unknown>,
): Promise<string> {
  const said: { query: string; params: unknown[] }[] = [];
  const logger = { logQuery: (query: string, params: unknown[]) => said.push({ query, params }) };
  await read(drizzle(database.pool, { logger }) as Db);
  // A list may count first what it then reads.
  const last = said.at(-1);
  if (last === undefined) throw new Error("nothing was read");
  const { query, params } = last;
  const { rows } = await database.pool.query(`explain (analyze, timing off) ${query}`, params);
  return rows.map((row: Record<string, string>) => row["QUERY PLAN"]).join("\n");
}

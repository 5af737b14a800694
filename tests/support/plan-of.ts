import assert from "node:assert/strict";
import { drizzle } from "drizzle-orm/node-postgres";
import type { Database, Db } from "#lib/platform/db/connection.ts";
import { isNewDatabase } from "./database.ts";

/** Runs queries on a new database (testDatabase) and returns PostgreSQL's plans of them, with the rows that each step has read. */
export async function planOf(
  { database }: { readonly database: Database },
  read: (db: Db) => Promise<unknown>,
): Promise<string> {
  assert.ok(isNewDatabase(database), "a plan depends on what earlier tests left in the files of a database");
  const said: { query: string; params: unknown[] }[] = [];
  const logger = { logQuery: (query: string, params: unknown[]) => said.push({ query, params }) };
  await read(drizzle(database.pool, { logger }) as Db);
  const plans: string[] = [];
  for (const { query, params } of said.filter((one) => !/^(?:begin|commit|set) ?/i.test(one.query))) {
    const { rows } = await database.pool.query(`explain (analyze, timing off) ${query}`, params);
    plans.push(...rows.map((row: Record<string, string>) => row["QUERY PLAN"] ?? ""));
  }
  return plans.join("\n");
}

import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { type Db, isDatabaseError } from "./connection.ts";

const JOURNAL = new URL("./migrations/meta/_journal.json", import.meta.url);

/** How many migrations of this program the database does not have; below 0: it is a newer program's. */
export async function countPendingMigrations(db: Db): Promise<number> {
  const { entries } = JSON.parse(readFileSync(JOURNAL, "utf8")) as { entries: readonly { when: number }[] };
  return entries.length - (await appliedMigrations(db));
}

async function appliedMigrations(db: Db): Promise<number> {
  try {
    const { rows } = await db.execute<{ applied: string }>(
      sql`select count(*) as applied from drizzle.__drizzle_migrations`,
    );
    return Number(rows[0]?.applied ?? 0);
  } catch (error) {
    // No such table: an empty database.
    if (isDatabaseError(error, "42P01")) return 0;
    throw error;
  }
}

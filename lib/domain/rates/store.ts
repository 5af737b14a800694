import { lte, sql } from "drizzle-orm";
import type { Db } from "#lib/platform/db/connection.ts";
import { tokenPrices } from "./tables.ts";

/** Inserts or replaces the prices in one statement. A stored price that is newer stays: another process wrote it. */
export async function upsertTokenPrices(
  db: Db,
  rows: readonly (typeof tokenPrices.$inferInsert)[],
): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insert(tokenPrices)
    .values([...rows])
    .onConflictDoUpdate({
      target: tokenPrices.token,
      set: { price: sql`excluded.price`, source: sql`excluded.source`, at: sql`excluded.at` },
      setWhere: lte(tokenPrices.at, sql`excluded.at`),
    });
}

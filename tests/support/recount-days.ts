import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { foldDayChanges } from "#lib/domain/payment-links/totals/count-days.ts";
import type { Db } from "#lib/platform/db/connection.ts";

const MIGRATION = new URL("../../lib/platform/db/migrations/0036_day_totals.sql", import.meta.url);
/** The migration counts all links of an older version: the totals by another way. */
const RECOUNT = readFileSync(fileURLToPath(MIGRATION), "utf8").split("--> statement-breakpoint").at(-1) ?? "";

const TOTALS = sql`select merchant_id, env, day::text, metric, count, usd_cents from link_day_totals
  where count <> 0 order by 1, 2, 3, 4`;

/** The totals that were kept while the links changed are those of the links as they are now. */
export async function checkDayTotals(db: Db): Promise<void> {
  while ((await foldDayChanges(db)) > 0);
  const kept = (await db.execute(TOTALS)).rows;
  await recountDays(db);
  assert.deepEqual(kept, (await db.execute(TOTALS)).rows);
}

/** Replaces the totals by those of the links as they are now. */
export async function recountDays(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`delete from link_day_changes`);
    await tx.execute(sql`delete from link_day_totals`);
    await tx.execute(sql.raw(RECOUNT));
  });
}

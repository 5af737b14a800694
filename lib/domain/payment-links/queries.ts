import { count, lte, min } from "drizzle-orm";
import type { Db } from "#lib/platform/db/connection.ts";
import { paymentLinks } from "./tables.ts";

/** Links whose time to be looked at has come (index payment_links_due). */
export async function selectOverdue(db: Db, now: Date): Promise<{ overdue: number; oldest: Date | null }> {
  const [row] = await db
    .select({ overdue: count(), oldest: min(paymentLinks.nextCheckAt) })
    .from(paymentLinks)
    .where(lte(paymentLinks.nextCheckAt, now));
  return { overdue: row?.overdue ?? 0, oldest: row?.oldest ?? null };
}

import { count, inArray, min } from "drizzle-orm";
import type { Db } from "#lib/platform/db/connection.ts";
import { withdrawals } from "./tables.ts";

/** By status, of those that have not ended (index withdrawals_open). */
export function countOpenWithdrawals(
  db: Db,
): Promise<{ status: number; count: number; oldest: Date | null }[]> {
  return db
    .select({ status: withdrawals.status, count: count(), oldest: min(withdrawals.createdAt) })
    .from(withdrawals)
    .where(inArray(withdrawals.status, [0, 1, 5]))
    .groupBy(withdrawals.status);
}

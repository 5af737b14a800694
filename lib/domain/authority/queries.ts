import { eq } from "drizzle-orm";
import { ipEntries } from "#lib/domain/merchants/tables.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";

/** True if a merchant's live keys work from some addresses alone. */
export async function hasIpList(db: Db | Tx, merchantId: number): Promise<boolean> {
  const [row] = await db
    .select({ id: ipEntries.id })
    .from(ipEntries)
    .where(eq(ipEntries.merchantId, merchantId))
    .limit(1);
  return row !== undefined;
}

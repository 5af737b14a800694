import { sql } from "drizzle-orm";
import type { Tx } from "#lib/platform/db/connection.ts";

/**
 * Locks a merchant's row until the transaction ends. Code that counts or compares a merchant's rows before it writes one calls this
 * first: otherwise two requests at once both count what was there before them. Rows that refer to the merchant can still be inserted.
 */
export async function lockMerchant(tx: Tx, merchantId: number): Promise<void> {
  await tx.execute(sql`select from merchants where id = ${merchantId} for no key update`);
}

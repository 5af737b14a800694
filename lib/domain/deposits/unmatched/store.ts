import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#lib/platform/db/connection.ts";
import { deposits, foreignDeposits } from "../tables.ts";

/** Locks the deposit until the transaction ends. Returns null when there is none. */
export async function lockDeposit(tx: Tx, id: number) {
  const [row] = await tx.select().from(deposits).where(eq(deposits.id, id)).for("update");
  return row ?? null;
}

/** Locks the deposit of an unlisted token until the transaction ends. Returns null when there is none. */
export async function lockUnlistedDeposit(tx: Tx, id: number) {
  const [row] = await tx.select().from(foreignDeposits).where(eq(foreignDeposits.id, id)).for("update");
  return row ?? null;
}

/** Sets a held deposit to credited, for this merchant. Throws when it is not held. */
export async function creditHeldDeposit(tx: Tx, id: number, merchantId: number, now: Date): Promise<void> {
  const updated = await tx
    .update(deposits)
    .set({ status: 1, merchantId, updatedAt: now })
    .where(and(eq(deposits.id, id), eq(deposits.status, 3)))
    .returning({ id: deposits.id });
  if (updated.length !== 1) throw new Error(`deposit ${id} is not held`);
}

/** Marks the deposit of an unlisted token as resolved. It leaves the list of unmatched deposits. */
export async function markUnlistedDepositResolved(
  tx: Tx,
  id: number,
  merchantId: number,
  now: Date,
): Promise<void> {
  await tx
    .update(foreignDeposits)
    .set({ merchantId, resolvedAt: now, updatedAt: now })
    .where(and(eq(foreignDeposits.id, id), isNull(foreignDeposits.resolvedAt)));
}

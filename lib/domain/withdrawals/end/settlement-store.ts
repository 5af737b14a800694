import { eq, isNull } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { withdrawalSettlements } from "../tables.ts";

type Settlement = typeof withdrawalSettlements.$inferSelect;

/** The settlement of a withdrawal that waits for an approval, or was approved. */
export async function findSettlement(db: Db | Tx, withdrawalId: number): Promise<Settlement | null> {
  const [row] = await db
    .select()
    .from(withdrawalSettlements)
    .where(eq(withdrawalSettlements.withdrawalId, withdrawalId));
  return row ?? null;
}

export async function lockSettlement(tx: Tx, withdrawalId: number): Promise<Settlement | null> {
  const [row] = await tx
    .select()
    .from(withdrawalSettlements)
    .where(eq(withdrawalSettlements.withdrawalId, withdrawalId))
    .for("update");
  return row ?? null;
}

/** Stores a proposal, in place of one that was not approved. */
export async function upsertSettlement(
  tx: Tx,
  { withdrawalId, ...proposal }: typeof withdrawalSettlements.$inferInsert,
): Promise<void> {
  await tx
    .insert(withdrawalSettlements)
    .values({ withdrawalId, ...proposal })
    .onConflictDoUpdate({
      target: withdrawalSettlements.withdrawalId,
      set: proposal,
      setWhere: isNull(withdrawalSettlements.approvedAt),
    });
}

export async function updateSettlement(
  tx: Tx,
  withdrawalId: number,
  approved: Pick<Settlement, "approvedBy" | "approval" | "approvedAt">,
): Promise<void> {
  await tx
    .update(withdrawalSettlements)
    .set(approved)
    .where(eq(withdrawalSettlements.withdrawalId, withdrawalId));
}

import { eq } from "drizzle-orm";
import type { Tx } from "#lib/platform/db/connection.ts";
import { refundClaims } from "./tables.ts";
import type { RefundClaim } from "./types.ts";

type NewClaim = Omit<typeof refundClaims.$inferInsert, "createdAt" | "updatedAt">;

/** Inserts a claim and returns its row. null if its merchant has one with this idempotency key. */
export async function insertClaim(tx: Tx, values: NewClaim, now: Date): Promise<RefundClaim | null> {
  const { merchantId, env, idempotencyKey } = refundClaims;
  const [row] = await tx
    .insert(refundClaims)
    .values({ ...values, createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: [merchantId, env, idempotencyKey] })
    .returning();
  return row ?? null;
}

type Changes = Partial<
  Pick<RefundClaim, "withdrawalId" | "revokedAt" | "sealedSecret" | "problem" | "problemAt">
>;

/** Updates a claim. Its payment link is locked. */
export async function updateClaim(tx: Tx, id: number, changes: Changes, now: Date): Promise<void> {
  await tx
    .update(refundClaims)
    .set({ ...changes, updatedAt: now })
    .where(eq(refundClaims.id, id));
}

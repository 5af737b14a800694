import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { attention } from "./tables.ts";

/** How often the unit has failed. 0: never. */
export async function lockAttempts(db: Db | Tx, subject: string): Promise<number> {
  const [row] = await db
    .select({ attempts: attention.attempts })
    .from(attention)
    .where(eq(attention.subject, subject))
    .for("update");
  return row?.attempts ?? 0;
}

/** A height stays when the next failure has none: a mempool that lags may show what is in a block. */
export async function upsertAttention(
  db: Db | Tx,
  row: Pick<typeof attention.$inferSelect, "subject" | "reason" | "attempts" | "retryAt" | "height">,
  now: Date,
): Promise<void> {
  const { reason, attempts, retryAt } = row;
  await db
    .insert(attention)
    .values({ ...row, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({
      target: attention.subject,
      set: {
        reason,
        attempts,
        retryAt,
        updatedAt: now,
        height: sql`coalesce(excluded.height, ${attention.height})`,
      },
    });
}

/** `waiting`: only rows without a height. */
export async function deleteAttention(
  db: Db | Tx,
  subjects: readonly string[],
  waiting = false,
): Promise<void> {
  const isOne = sql`${attention.subject} = any(${sqlArray(subjects, "text")})`;
  await db.delete(attention).where(waiting ? and(isOne, isNull(attention.height)) : isOne);
}

/** Locks the row of a unit that was set aside. Null: it is not set aside. */
export async function lockAttention(tx: Tx, subject: string): Promise<typeof attention.$inferSelect | null> {
  const [row] = await tx.select().from(attention).where(eq(attention.subject, subject)).for("update");
  return row ?? null;
}

export async function updateRetryTime(tx: Tx, subject: string, now: Date): Promise<void> {
  await tx.update(attention).set({ retryAt: now, updatedAt: now }).where(eq(attention.subject, subject));
}

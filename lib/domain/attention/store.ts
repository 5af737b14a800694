import { eq, sql } from "drizzle-orm";
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

export async function upsertAttention(
  db: Db | Tx,
  row: Pick<typeof attention.$inferSelect, "subject" | "reason" | "attempts" | "retryAt" | "height">,
  now: Date,
): Promise<void> {
  const { reason, attempts, retryAt, height } = row;
  await db
    .insert(attention)
    .values({ ...row, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({
      target: attention.subject,
      set: { reason, attempts, retryAt, height, updatedAt: now },
    });
}

export async function deleteAttention(db: Db | Tx, subjects: readonly string[]): Promise<void> {
  await db.delete(attention).where(sql`${attention.subject} = any(${sqlArray(subjects, "text")})`);
}

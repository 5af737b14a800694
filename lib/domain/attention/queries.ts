import { and, asc, gt, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { attention } from "./tables.ts";
import { ATTENTION_KINDS, type AttentionKind } from "./types.ts";

/** A unit that was set aside. */
export type AttentionRow = typeof attention.$inferSelect;

/** SQL: true while the unit waits for its next retry. `subject` is an expression of its row. */
export function waitsForRetry(subject: SQL, now: Date): SQL {
  return sql`exists (select 1 from ${attention}
    where ${attention.subject} = ${subject} and ${attention.retryAt} > ${now.toISOString()}::timestamptz)`;
}

/** When each of these subjects that is set aside is retried. */
export async function listRetryTimes(
  db: Db | Tx,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  if (subjects.length === 0) return new Map();
  const rows = await db
    .select({ subject: attention.subject, retryAt: attention.retryAt })
    .from(attention)
    .where(sql`${attention.subject} = any(${sqlArray(subjects, "text")})`);
  return new Map(rows.map(({ subject, retryAt }) => [subject, retryAt]));
}

/**
 * Lists at most `limit` units that are due for a retry and whose subjects start with `prefix`: those of blocks up to the height `upTo`, and
 * with `waiting` those of no block.
 */
export function listDueAttention(
  db: Db,
  prefix: string,
  due: { readonly now: Date; readonly limit: number; readonly upTo: number; readonly waiting: boolean },
): Promise<AttentionRow[]> {
  const isDue = lte(attention.retryAt, due.now);
  const isRead = lte(attention.height, due.upTo);
  const isWanted = due.waiting ? or(isRead, isNull(attention.height)) : isRead;
  return db
    .select()
    .from(attention)
    .where(and(sql`starts_with(${attention.subject}, ${prefix})`, isDue, isWanted))
    .orderBy(asc(attention.retryAt))
    .limit(due.limit);
}

/** Returns the subject of a unit that starts and ends with these texts, or null. */
export async function findAttentionOf(db: Db, prefix: string, ending: string): Promise<string | null> {
  const [row] = await db
    .select({ subject: attention.subject })
    .from(attention)
    .where(
      sql`starts_with(${attention.subject}, ${prefix}) and right(${attention.subject}, ${ending.length}::integer) = ${ending}`,
    );
  return row?.subject ?? null;
}

/** Lists what is set aside, in the order of the subjects, after the subject `after` (null: from the first). */
export function listAttention(
  db: Db,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<AttentionRow[]> {
  return db
    .select()
    .from(attention)
    .where(after === null ? undefined : gt(attention.subject, after))
    .orderBy(asc(attention.subject))
    .limit(limit);
}

/** How many units of each kind are set aside. */
export async function countAttention(db: Db): Promise<Readonly<Record<AttentionKind, number>>> {
  const kind = sql<string>`split_part(${attention.subject}, ':', 1)`;
  const rows = await db
    .select({ kind, count: sql<number>`count(*)::integer` })
    .from(attention)
    .groupBy(sql`1`);
  const counts = new Map(rows.map((row) => [row.kind, row.count]));
  return Object.fromEntries(ATTENTION_KINDS.map((one) => [one, counts.get(one) ?? 0])) as Record<
    AttentionKind,
    number
  >;
}

import { sql } from "drizzle-orm";
import type { Tx } from "./connection.ts";

/** More rows than a table gets between two backups. */
const AHEAD = 1_000_000;

/**
 * Moves every sequence ahead after a restore, past all numbers that the lost database can have used. Merchants store the
 * numbers of processed events, so a new event with an old number would look like a repeat. Needs the role that owns the
 * tables. A rollback does not undo it. Returns how many numbers of each sequence were skipped.
 */
export async function skipSequenceNumbers(tx: Tx): Promise<{ ok: true; ahead: number }> {
  await tx.execute(sql`
    select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + ${AHEAD}::bigint)
    from pg_sequences where schemaname = 'public'`);
  return { ok: true, ahead: AHEAD };
}

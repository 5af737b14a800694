import { sql } from "drizzle-orm";
import type { Tx } from "./connection.ts";

/** More than a table gets between two backups. */
const AHEAD = 1_000_000;

/**
 * Has every table go on with numbers that a database lost since the backup cannot have given: merchants keep the numbers
 * of events that they have done, and would take a new event under an old one for a repeat. For the role that owns the
 * tables. Not undone by a rollback. `ahead`: how many numbers of each were left out.
 */
export async function skipSequenceNumbers(tx: Tx): Promise<{ ok: true; ahead: number }> {
  await tx.execute(sql`
    select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + ${AHEAD}::bigint)
    from pg_sequences where schemaname = 'public'`);
  return { ok: true, ahead: AHEAD };
}

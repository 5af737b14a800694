import type { SQL } from "drizzle-orm";
import { auditLog } from "#lib/domain/audit/tables.ts";
import type { Db } from "#lib/platform/db/connection.ts";

/** The audit log in its order. */
export async function readDecisions(db: Db, where?: SQL) {
  const rows = await db.select().from(auditLog).where(where).orderBy(auditLog.id);
  return rows.map(({ actor, action, subject, details }) => ({ actor, action, subject, details }));
}

/** The latest entry of the audit log. */
export async function readLastDecision(db: Db) {
  return (await readDecisions(db)).at(-1);
}

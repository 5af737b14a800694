import { and, desc, eq, lt } from "drizzle-orm";
import type { Db } from "#lib/platform/db/connection.ts";
import { auditLog } from "./tables.ts";

/** A recorded decision. */
export type RecordedDecision = typeof auditLog.$inferSelect;

/** Selects decisions; null: any. `subject` is the object of the action: "deposit:12". */
export interface DecisionFilter {
  readonly actor: string | null;
  readonly action: string | null;
  readonly subject: string | null;
  /** Absent: also entries that belong to no merchant. */
  readonly merchantId?: number;
}

/** Lists decisions, newest first, below the id `before` (null: from the newest). */
export function listDecisions(
  db: Db,
  { actor, action, subject, merchantId }: DecisionFilter,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<RecordedDecision[]> {
  return db
    .select()
    .from(auditLog)
    .where(
      and(
        actor === null ? undefined : eq(auditLog.actor, actor),
        action === null ? undefined : eq(auditLog.action, action),
        merchantId === undefined ? undefined : eq(auditLog.merchantId, merchantId),
        subject === null ? undefined : eq(auditLog.subject, subject),
        before === null ? undefined : lt(auditLog.id, before),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit);
}

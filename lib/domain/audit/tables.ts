import { sql } from "drizzle-orm";
import { bigint, index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { id, timestampMs } from "#lib/platform/db/columns.ts";

/** Decisions of people. Rows are never changed or deleted. */
export const auditLog = pgTable(
  "audit_log",
  {
    id: id(),
    at: timestampMs("at").notNull(),
    /** "operator:{system user}". */
    actor: text("actor").notNull(),
    /** "deposit.resolve". */
    action: text("action").notNull(),
    /** The object of the action: "deposit:12". */
    subject: text("subject").notNull(),
    /** The merchant whose people see the entry. null: only the operator does. */
    merchantId: bigint("merchant_id", { mode: "number" }),
    /** Client address of the request. null: a command, or an earlier version. */
    ip: text("ip"),
    details: jsonb("details").$type<Readonly<Record<string, unknown>>>().notNull(),
  },
  (t) => [
    index("audit_log_subject").on(t.subject, t.id),
    index("audit_log_merchant").on(t.merchantId, t.id).where(sql`merchant_id is not null`),
  ],
);

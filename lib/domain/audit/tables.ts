import { index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { id, timestampMs } from "#lib/platform/db/columns.ts";

/** What people decided, once each, for ever. */
export const auditLog = pgTable(
  "audit_log",
  {
    id: id(),
    at: timestampMs("at").notNull(),
    /** "operator:{system user}". */
    actor: text("actor").notNull(),
    /** "deposit.resolve". */
    action: text("action").notNull(),
    /** What it was done to: "deposit:12". */
    subject: text("subject").notNull(),
    details: jsonb("details").$type<Readonly<Record<string, unknown>>>().notNull(),
  },
  (t) => [index("audit_log_subject").on(t.subject, t.id)],
);

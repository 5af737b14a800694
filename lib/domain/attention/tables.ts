import { bigint, integer, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, timestampMs, updatedAt } from "#lib/platform/db/columns.ts";

/** Links, deposits, transactions and withdrawals whose processing fails. Each is retried, and its row is deleted when it succeeds. */
export const attention = pgTable("attention", {
  /** "link:{refid}", "transaction:{env}:{network}:{hash}", "blocks:{env}:{network}:{from}-{to}" and so on. */
  subject: text("subject").primaryKey(),
  /** The last error, without values of rows. */
  reason: text("reason").notNull(),
  attempts: integer("attempts").notNull(),
  retryAt: timestampMs("retry_at").notNull(),
  /** The block of a transaction, or the first of blocks. null for all others, and while it is in no block. */
  height: bigint("height", { mode: "number" }),
  /** The first failure. */
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

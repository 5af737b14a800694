import { bigint, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { env } from "#lib/domain/columns.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { bytes, createdAt } from "#lib/platform/db/columns.ts";

export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    env: env(),
    key: text("key").notNull(),
    /** SHA-256 of method, path and body. */
    requestHash: bytes("request_hash").notNull(),
    /** The answer is null only inside the transaction that inserts the row. */
    status: integer("status"),
    response: text("response"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.env, t.key] }),
    index("idempotency_keys_age").on(t.createdAt),
  ],
);

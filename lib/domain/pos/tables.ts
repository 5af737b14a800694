import { sql } from "drizzle-orm";
import { bigint, index, pgTable, text } from "drizzle-orm/pg-core";
import { forms } from "#lib/domain/forms/tables.ts";
import { bytes, createdAt, id, timestampMs } from "#lib/platform/db/columns.ts";

/** Phones and tablets that sell for a form. A device can start payments and read its own sales, and nothing else. */
export const posDevices = pgTable(
  "pos_devices",
  {
    id: id(),
    formId: bigint("form_id", { mode: "number" })
      .notNull()
      .references(() => forms.id),
    /** The merchant's name for the device, such as "Counter 1". */
    name: text("name").notNull(),
    /** SHA-256 of the device code that is still to be entered. null once it was. */
    codeHash: bytes("code_hash").unique(),
    codeExpiresAt: timestampMs("code_expires_at").notNull(),
    /** SHA-256 of the token in the device's cookie. null until the code was entered. */
    tokenHash: bytes("token_hash").unique(),
    /** IANA name of the device's time zone, in which its day begins. */
    timeZone: text("time_zone").notNull().default(sql`'UTC'`),
    pairedAt: timestampMs("paired_at"),
    revokedAt: timestampMs("revoked_at"),
    createdAt: createdAt(),
  },
  (t) => [index("pos_devices_form").on(t.formId, t.id)],
);

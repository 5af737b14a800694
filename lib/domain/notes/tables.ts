import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, text } from "drizzle-orm/pg-core";
import { customers } from "#lib/domain/merchants/tables.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { createdAt, id } from "#lib/platform/db/columns.ts";

/** Notes of a merchant's staff about a payment or a customer, for the staff alone. Merchant and environment are those of the subject. */
export const notes = pgTable(
  "notes",
  {
    id: id(),
    /** The link is null if the note is about a customer. */
    paymentLinkId: bigint("payment_link_id", { mode: "number" }).references(() => paymentLinks.id),
    /** The customer is null if the note is about a payment. */
    customerId: bigint("customer_id", { mode: "number" }).references(() => customers.id),
    /** The actor that wrote it, as the audit log names it. */
    author: text("author").notNull(),
    /** Plain lines. */
    text: text("text").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("notes_payment_link").on(t.paymentLinkId, t.id).where(sql`payment_link_id is not null`),
    index("notes_customer").on(t.customerId, t.id).where(sql`customer_id is not null`),
    check("notes_subject", sql`num_nonnulls(payment_link_id, customer_id) = 1`),
    check("notes_text", sql`char_length(text) between 1 and 2000`),
  ],
);

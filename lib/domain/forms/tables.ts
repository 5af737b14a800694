import { sql } from "drizzle-orm";
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { env } from "#lib/domain/columns.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { bytes, createdAt, id, timestampMs, units, updatedAt } from "#lib/platform/db/columns.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import type { FormQuestion } from "./question-rules.ts";

/** Reusable pages of merchants. Each submission creates a payment link. */
export const forms = pgTable(
  "forms",
  {
    id: id(),
    /** The public identifier, the last part of the form's URL. */
    code: text("code").notNull().unique(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    env: env(),
    title: text("title").notNull(),
    description: text("description"),
    /** SHA-256 of the picture in form_pictures, in hex. null: none. */
    picture: text("picture"),
    currency: text("currency").$type<CurrencyCode>().notNull(),
    /** Smallest unit of the currency, like all amounts here. null: the payer chooses the amount. */
    amount: units("amount"),
    minimumAmount: units("minimum_amount"),
    maximumAmount: units("maximum_amount"),
    /** Decimal texts, as the payer's browser gets them. */
    suggestedAmounts: jsonb("suggested_amounts").$type<readonly string[]>().notNull(),
    ask: jsonb("ask").$type<readonly FormQuestion[]>().notNull(),
    /** Labels of the merchant's own questions. */
    fields: jsonb("fields").$type<readonly string[]>().notNull(),
    maxQuantity: integer("max_quantity").notNull(),
    /** Units that may be sold in all. null: no limit. */
    stock: integer("stock"),
    /** The amount that the form may take in all. null: no limit. */
    totalLimit: units("total_limit"),
    paymentReference: text("payment_reference").notNull(),
    successUrl: text("success_url"),
    cancelUrl: text("cancel_url"),
    expiresAt: timestampMs("expires_at"),
    archivedAt: timestampMs("archived_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index("forms_merchant").on(t.merchantId, t.env, t.id)],
);

/** The pictures, apart from the rows that every request reads. */
export const formPictures = pgTable(
  "form_pictures",
  {
    formId: bigint("form_id", { mode: "number" })
      .primaryKey()
      .references(() => forms.id),
    /** SHA-256 of the bytes, in hex. Two forms may have the same. */
    hash: text("hash").notNull(),
    /** WebP, created by the operator's command. */
    bytes: bytes("bytes").notNull(),
  },
  (t) => [
    index("form_pictures_hash").on(t.hash),
    check("form_pictures_size", sql`octet_length(${t.bytes}) between 1 and 300000`),
  ],
);

/** Submissions of the last day, so that one that is repeated gets its link again, and to limit those of a visitor. */
export const formVisits = pgTable(
  "form_visits",
  {
    formId: bigint("form_id", { mode: "number" })
      .notNull()
      .references(() => forms.id),
    /** SHA-256 of the visit's key in the page and of everything that was submitted. */
    visit: bytes("visit").notNull(),
    refid: text("refid").notNull(),
    /** Keyed hash of the visitor's IP address. Cleared after VISITOR_WINDOW_MS. */
    visitor: bytes("visitor"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.formId, t.visit] }),
    index("form_visits_visitor").on(t.visitor, t.createdAt).where(sql`visitor is not null`),
    index("form_visits_age").on(t.createdAt),
  ],
);

import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { env, network, token } from "#lib/domain/columns.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { customers, merchants } from "#lib/domain/merchants/tables.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { bytes, createdAt, id, timestampMs, units, updatedAt } from "#lib/platform/db/columns.ts";

export const paymentLinks = pgTable(
  "payment_links",
  {
    id: id(),
    refid: text("refid").notNull().unique(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    env: env(),
    customerId: bigint("customer_id", { mode: "number" })
      .notNull()
      .references(() => customers.id),
    /** The details as submitted with this link; the customer row keeps the newest. */
    customerEmail: text("customer_email").notNull(),
    customerFirstName: text("customer_first_name").notNull(),
    customerLastName: text("customer_last_name").notNull(),
    customerPhone: text("customer_phone"),
    paymentReference: text("payment_reference").notNull(),
    /** Smallest unit of the currency (CURRENCIES decimals). */
    amount: units("amount").notNull(),
    currency: text("currency").notNull(),
    /** USD cents of the whole at creation, rounded up: chooses the confirmation tier. null: no rate yet, the highest. */
    usdCents: units("usd_cents"),
    successUrl: text("success_url").notNull(),
    cancelUrl: text("cancel_url").notNull(),
    expiresAt: timestampMs("expires_at").notNull(),
    /** JSON text exactly as submitted; null when absent. */
    metadata: text("metadata"),
    walletPreGenerated: boolean("wallet_pre_generated").notNull(),
    state: text("state").notNull().default("open"),
    reason: text("reason"),
    late: boolean("late").notNull().default(false),
    version: integer("version").notNull().default(1),
    seq: integer("seq").notNull().default(0),
    /** When the sweep must look again; null once no time can change the state. */
    nextCheckAt: timestampMs("next_check_at"),
    completedAt: timestampMs("completed_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index("payment_links_merchant").on(t.merchantId, t.env, t.id),
    // Creation pays nothing for it: a link begins as open.
    index("payment_links_state").on(t.merchantId, t.env, t.state, t.id).where(sql`state <> 'open'`),
    index("payment_links_reference").on(t.merchantId, t.env, t.paymentReference, t.id),
    index("payment_links_due").on(t.nextCheckAt).where(sql`next_check_at is not null`),
  ],
);

/** Networks picked for a link, each with its one address. */
export const paymentLinkWallets = pgTable(
  "payment_link_wallets",
  {
    paymentLinkId: bigint("payment_link_id", { mode: "number" })
      .notNull()
      .references(() => paymentLinks.id),
    network: network(),
    token: token(),
    addressId: bigint("address_id", { mode: "number" })
      .notNull()
      .unique()
      .references(() => addresses.id),
    /** Keyed hash of the client address that asked for it, to limit new addresses; wiped once it no longer counts. */
    visitor: bytes("visitor"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.paymentLinkId, t.network] }),
    index("payment_link_wallets_visitor").on(t.visitor, t.createdAt).where(sql`visitor is not null`),
  ],
);

/** "`amount` ledger units of `token` pay the whole link, until validUntil" (docs/decisions.md, Valuation). */
export const quotes = pgTable(
  "quotes",
  {
    id: id(),
    paymentLinkId: bigint("payment_link_id", { mode: "number" })
      .notNull()
      .references(() => paymentLinks.id),
    network: network(),
    token: token(),
    amount: units("amount").notNull(),
    /** What was asked when it was made: the whole, less what had been paid by then, ledger units. */
    asked: units("asked").notNull(),
    /** Price of one whole token in the link's currency, decimal text. */
    rate: text("rate").notNull(),
    rateSource: text("rate_source").notNull(),
    rateAt: timestampMs("rate_at").notNull(),
    validFrom: timestampMs("valid_from").notNull(),
    validUntil: timestampMs("valid_until").notNull(),
  },
  (t) => [index("quotes_link").on(t.paymentLinkId, t.network, t.id)],
);

/** A deposit as a payment of a link: which quote values it. */
export const payments = pgTable(
  "payments",
  {
    depositId: bigint("deposit_id", { mode: "number" })
      .primaryKey()
      .references(() => deposits.id),
    paymentLinkId: bigint("payment_link_id", { mode: "number" })
      .notNull()
      .references(() => paymentLinks.id),
    /** null while no rate could be had: the valuation waits, the credit does not. */
    quoteId: bigint("quote_id", { mode: "number" }).references(() => quotes.id),
    /** Which event has spoken for it: what an evaluation remembers, so that repeating it emits nothing twice. */
    announced: text("announced").$type<"completed" | "extra" | "failed" | "late">(),
  },
  (t) => [index("payments_link").on(t.paymentLinkId, t.depositId)],
);

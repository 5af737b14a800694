import { sql } from "drizzle-orm";
import { bigint, boolean, date, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { env, network, token } from "#lib/domain/columns.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import type { LinkReason, LinkState, PaymentAnnouncement, ReportedPayment } from "#lib/domain/types.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { bytes, createdAt, id, timestampMs, units, updatedAt } from "#lib/platform/db/columns.ts";
import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { StoredItem } from "./order-rules.ts";

/** Triggers instead of foreign keys check the merchant, customer, form and device of new links (docs/adr/0005). */
export const paymentLinks = pgTable(
  "payment_links",
  {
    id: id(),
    refid: text("refid").notNull().unique(),
    merchantId: bigint("merchant_id", { mode: "number" }).notNull(),
    env: env(),
    /** The customer is null if the merchant did not say who pays. The details are then "". */
    customerId: bigint("customer_id", { mode: "number" }),
    /** The details submitted with this link. The customer's row keeps the newest ones. */
    customerEmail: text("customer_email").notNull(),
    customerFirstName: text("customer_first_name").notNull(),
    customerLastName: text("customer_last_name").notNull(),
    customerPhone: text("customer_phone"),
    paymentReference: text("payment_reference").notNull(),
    /** Smallest unit of the currency (CURRENCIES decimals). */
    amount: units("amount").notNull(),
    currency: text("currency").$type<CurrencyCode>().notNull(),
    /** Value in USD cents at creation, rounded up. Payments need at least its confirmation tier. null (no rate yet): the highest. */
    usdCents: units("usd_cents"),
    successUrl: text("success_url").notNull(),
    cancelUrl: text("cancel_url").notNull(),
    expiresAt: timestampMs("expires_at").notNull(),
    /** JSON text exactly as submitted; null when absent. */
    metadata: text("metadata"),
    /** For the payer: what the link is for. null when absent. */
    description: text("description"),
    /** Language of the page that the merchant asked for. null: that of the payer's browser. */
    language: text("language").$type<LanguageCode>(),
    /** When the merchant took the link out of its plugin's list. null: it is there. */
    archivedAt: timestampMs("archived_at"),
    items: jsonb("items").$type<readonly StoredItem[]>(),
    walletPreGenerated: boolean("wallet_pre_generated").notNull(),
    state: text("state").$type<LinkState>().notNull().default("open"),
    reason: text("reason").$type<LinkReason>(),
    late: boolean("late").notNull().default(false),
    version: integer("version").notNull().default(1),
    seq: integer("seq").notNull().default(0),
    /** When the sweep evaluates the link again. null once time alone cannot change the state. */
    nextCheckAt: timestampMs("next_check_at"),
    completedAt: timestampMs("completed_at"),
    /** Network of the payment that completed the link. Set with completedAt. */
    paidNetwork: text("paid_network").$type<NetworkCode>(),
    /** The token of that payment. */
    paidToken: text("paid_token").$type<TokenCode>(),
    /** When the merchant canceled the link. A reorg that reverts late money makes it canceled again. */
    canceledAt: timestampMs("canceled_at"),
    /** Names of the pairs (pairCode) that the customer can choose from, in their order. null: the merchant's. */
    pairs: text("pairs").array(),
    /** The form that created the link, and how many units it sells. null: the API did. */
    formId: bigint("form_id", { mode: "number" }),
    formQuantity: integer("form_quantity"),
    /** The device that sold. null: the payer came to the form's page, or the API created the link. */
    posDeviceId: bigint("pos_device_id", { mode: "number" }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    // Links that are created at the same time may get ids in another order than their times. Lists use both.
    index("payment_links_newest").on(t.env, t.createdAt, t.id),
    index("payment_links_merchant").on(t.merchantId, t.env, t.createdAt, t.id),
    // The lists of one state. A new link is open, so that an insert writes to the smaller one alone.
    index("payment_links_open").on(t.merchantId, t.env, t.createdAt, t.id).where(sql`state = 'open'`),
    index("payment_links_state")
      .on(t.merchantId, t.env, t.state, t.createdAt, t.id)
      .where(sql`state <> 'open'`),
    // Most links that ended have expired. A plugin also asks for those that were canceled, or whose payment came to nothing.
    index("payment_links_reason")
      .on(t.merchantId, t.env, t.state, t.reason, t.createdAt, t.id)
      .where(sql`reason is not null`),
    // Each finds what a person searches for, whole or by its first characters, and the whole text in the order of the list.
    index("payment_links_reference").on(
      t.merchantId,
      t.env,
      t.paymentReference.op("text_pattern_ops"),
      t.createdAt,
      t.id,
    ),
    index("payment_links_email").on(
      t.merchantId,
      t.env,
      sql`lower(${t.customerEmail}) text_pattern_ops`,
      t.createdAt,
      t.id,
      // PostgreSQL answers from the index alone only where it has the column itself.
      t.customerEmail,
    ),
    index("payment_links_last_name").on(
      t.merchantId,
      t.env,
      sql`lower(${t.customerLastName}) text_pattern_ops`,
      t.createdAt,
      t.id,
    ),
    index("payment_links_first_name").on(
      t.merchantId,
      t.env,
      sql`lower(${t.customerFirstName}) text_pattern_ops`,
      t.createdAt,
      t.id,
    ),
    index("payment_links_currency_amount").on(t.merchantId, t.env, t.currency, t.amount, t.createdAt, t.id),
    index("payment_links_paid")
      .on(t.merchantId, t.env, t.paidNetwork, t.paidToken, t.createdAt, t.id)
      .where(sql`paid_network is not null`),
    index("payment_links_paid_state")
      .on(t.merchantId, t.env, t.paidNetwork, t.paidToken, t.state, t.createdAt, t.id)
      .where(sql`paid_network is not null`),
    // The links that take from a form's stock and limit: those that have not failed.
    index("payment_links_form")
      .on(t.formId, t.formQuantity, t.amount)
      .where(sql`form_id is not null and state not in ('failed', 'expired')`),
    // Lists of a form or a device, of one state or all: an index compares the state without reading the rows.
    index("payment_links_form_newest")
      .on(t.formId, t.createdAt, t.id, t.state)
      .where(sql`form_id is not null`),
    index("payment_links_device")
      .on(t.posDeviceId, t.createdAt, t.id, t.state)
      .where(sql`pos_device_id is not null`),
    index("payment_links_due").on(t.nextCheckAt).where(sql`next_check_at is not null`),
  ],
);

/** The pairs selected for a link, each with one address. */
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
    /** Keyed hash of the visitor's IP address, to limit new addresses. Cleared after VISITOR_WINDOW_MS. */
    visitor: bytes("visitor"),
    /**
     * Language of the page on which a visitor chose the network. null: the merchant did, or it is unknown. Read it with languageOrEnglish: it
     * may no longer be offered.
     */
    language: text("language"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.paymentLinkId, t.network, t.token] }),
    index("payment_link_wallets_visitor").on(t.visitor, t.createdAt).where(sql`visitor is not null`),
  ],
);

/** `amount` ledger units of `token` pay the full link until `validUntil` (docs/decisions.md, Valuation). */
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
    /** Ledger units asked for when the quote was created: `amount` less what was already paid. */
    asked: units("asked").notNull(),
    /** The token's minimum_receive when the quote was created, in ledger units. Payments by the quote are evaluated with it. */
    minimumReceive: units("minimum_receive").notNull().default(sql`0`),
    /** Price of one whole token in the link's currency, decimal text. */
    rate: text("rate").notNull(),
    rateSource: text("rate_source").notNull(),
    rateAt: timestampMs("rate_at").notNull(),
    validFrom: timestampMs("valid_from").notNull(),
    validUntil: timestampMs("valid_until").notNull(),
  },
  (t) => [index("quotes_link").on(t.paymentLinkId, t.network, t.id)],
);

/** A deposit that pays a link, and the quote that values it. */
export const payments = pgTable(
  "payments",
  {
    depositId: bigint("deposit_id", { mode: "number" })
      .primaryKey()
      .references(() => deposits.id),
    paymentLinkId: bigint("payment_link_id", { mode: "number" })
      .notNull()
      .references(() => paymentLinks.id),
    /** The quote is null while no rate is available. The payment is credited anyway and valued later. */
    quoteId: bigint("quote_id", { mode: "number" }).references(() => quotes.id),
    /** Values the deposit's early amount, if there is one. Set whenever `quoteId` is: the rest waits for it. */
    earlyQuoteId: bigint("early_quote_id", { mode: "number" }).references(() => quotes.id),
    /** Which event has reported the payment, so that a repeated evaluation emits no event twice. */
    announced: text("announced").$type<PaymentAnnouncement>(),
    /** Which event of the format `btcpay` has reported the payment. null: none. */
    reported: text("reported").$type<ReportedPayment>(),
    /** True once an event has reported the payment as late, whatever a reorg does to its first-seen time afterwards. */
    late: boolean("late").notNull().default(false),
    /**
     * Below this many ledger units the payment alone does not change the state. Set once, when the payment is recorded:
     * the minimum of its quote, or without a quote the token's minimum_receive at that time.
     */
    minimumReceive: units("minimum_receive").notNull().default(sql`0`),
  },
  (t) => [index("payments_link").on(t.paymentLinkId, t.depositId)],
);

/** The owner and the metric of a total (totals/count-days.ts). */
const metricColumns = {
  merchantId: bigint("merchant_id", { mode: "number" })
    .notNull()
    .references(() => merchants.id),
  env: env(),
  /** "created", "volume:bitcoin" and so on. */
  metric: text("metric").notNull(),
};

/** The sums of a total. */
const sumColumns = {
  count: bigint("count", { mode: "number" }).notNull(),
  usdCents: units("usd_cents").notNull(),
};

/**
 * Totals of each merchant's quarters of an hour. A day of every time zone begins with one, so that the days are added up again from them
 * when the merchant changes its time zone.
 */
export const linkQuarters = pgTable(
  "link_quarters",
  {
    ...metricColumns,
    /** The beginning of the quarter. */
    quarter: timestampMs("quarter").notNull(),
    ...sumColumns,
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.env, t.quarter, t.metric] })],
);

/** Totals of each merchant's days in its time zone, the sums of their quarters of an hour. Charts are drawn from them. */
export const linkDays = pgTable(
  "link_days",
  { ...metricColumns, day: date("day").notNull(), ...sumColumns },
  (t) => [primaryKey({ columns: [t.merchantId, t.env, t.day, t.metric] })],
);

/**
 * Changes of the totals that are not added to them yet. Each transaction appends its own rows, so that the links of a
 * busy merchant never wait for one row of the quarter.
 */
export const linkDayChanges = pgTable(
  "link_day_changes",
  {
    id: id(),
    ...metricColumns,
    /** The day in UTC. Only processes of version 1.0.0 write it: otherwise null. */
    day: date("day"),
    /** The beginning of the quarter of an hour. Its default is for processes of version 1.0.0. */
    quarter: timestampMs("quarter").notNull().default(sql`date_bin('15 minutes', now(), 'epoch')`),
    count: integer("count").notNull(),
    usdCents: units("usd_cents").notNull(),
  },
  (t) => [index("link_day_changes_quarter").on(t.merchantId, t.env, t.quarter)],
);

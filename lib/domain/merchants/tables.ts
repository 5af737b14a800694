import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { HeldScope, Permission } from "#lib/domain/authority/types.ts";
import { env } from "#lib/domain/columns.ts";
import { bytes, createdAt, id, timestampMs, updatedAt } from "#lib/platform/db/columns.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";

export const merchants = pgTable("merchants", {
  id: id(),
  /** The merchant's part of the console's URLs. Random: it reveals and guesses nothing. */
  code: uuid("code").notNull().unique().defaultRandom(),
  email: text("email").notNull().unique(),
  name: text("name").notNull(),
  status: text("status").$type<"active" | "disabled" | "removed">().notNull().default("active"),
  latePolicy: text("late_policy").$type<"hold" | "accept">().notNull().default("hold"),
  /** Percent as decimal text, e.g. "1" or "0.75". */
  feePercentage: text("fee_percentage").notNull().default("1"),
  toleranceUnderBps: integer("tolerance_under_bps").notNull().default(50),
  /** The most that may be missing, in whole units of the link's currency. Null: no limit but the basis points. */
  toleranceUnderMax: integer("tolerance_under_max").default(1),
  toleranceOverBps: integer("tolerance_over_bps").notNull().default(0),
  /** Amounts of stablecoins that payers are asked for are rounded up to a cent. */
  roundStablecoins: boolean("round_stablecoins").notNull().default(true),
  /** Basis points by which every quote exceeds the market rate. 0 or more. */
  rateMarkupBps: integer("rate_markup_bps").notNull().default(0),
  /**
   * Rates that the merchant fixes instead of the market's: "usdt/ngn=1600,btc/usd=60000". Null: market
   * rates.
   */
  fixedRates: text("fixed_rates"),
  /** Names of the pairs (pairCode) that links offer, in their order. Null: those of the interface document. */
  paymentPairs: text("payment_pairs").array(),
  allowOrigins: text("allow_origins").array().notNull().default(sql`'{}'`),
  /** SHA-256 of the logo in merchant_logos, in hex. Null: no logo. */
  logo: text("logo"),
  /** "#rrggbb". Null: Paylink's own color. */
  accent: text("accent"),
  /** E-mail address, https URL or telephone number for help to customers. */
  support: text("support"),
  /** IANA name. Days of the console begin in it. */
  timeZone: text("time_zone").notNull().default("UTC"),
  /** The fiat currency in which the console values balances, for reading only. */
  displayCurrency: text("display_currency").$type<CurrencyCode>().notNull().default("usd"),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

/** The images of the logos, apart from the rows that every request reads. */
export const merchantLogos = pgTable(
  "merchant_logos",
  {
    merchantId: bigint("merchant_id", { mode: "number" })
      .primaryKey()
      .references(() => merchants.id),
    /** SHA-256 of the bytes, in hex. Two merchants may have the same. */
    hash: text("hash").notNull(),
    /** WebP, created by the operator's command. */
    bytes: bytes("bytes").notNull(),
  },
  (t) => [
    index("merchant_logos_hash").on(t.hash),
    check("merchant_logos_size", sql`octet_length(${t.bytes}) between 1 and 100000`),
  ],
);

export const apiKeys = pgTable(
  "api_keys",
  {
    id: id(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    env: env(),
    scope: text("scope").$type<HeldScope>().notNull().default("full"),
    /** The permissions of a Greenfield key. null for every other key. */
    permissions: text("permissions").array().$type<Permission[]>(),
    /** Web origin of the program that has a Greenfield key. null: nobody said it. */
    origin: text("origin"),
    /** SHA-256 of the key. The key itself is shown once and not stored. */
    hash: bytes("hash").notNull().unique(),
    last4: text("last4").notNull(),
    /** The name that the merchant gave it, so that people know which program has it. "": it has none. */
    name: text("name").notNull().default(""),
    /**
     * Id of the person who made it, or who made the key that made it. null: the operator did, with the command. The migration has its
     * foreign key: the room of people comes before this one.
     */
    madeBy: bigint("made_by", { mode: "number" }),
    createdAt: createdAt(),
    expiresAt: timestampMs("expires_at"),
    lastUsedAt: timestampMs("last_used_at"),
    revokedAt: timestampMs("revoked_at"),
  },
  (t) => [index("api_keys_merchant").on(t.merchantId), index("api_keys_made_by").on(t.madeBy)],
);

export const ipEntries = pgTable(
  "ip_entries",
  {
    id: id(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    name: text("name").notNull(),
    /** Address or CIDR, IPv4 or IPv6. */
    address: text("address").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index("ip_entries_merchant").on(t.merchantId)],
);

export const customers = pgTable(
  "customers",
  {
    id: id(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    env: env(),
    /** As it was first sent. */
    email: text("email").notNull(),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    phone: text("phone"),
    blacklisted: boolean("blacklisted").notNull().default(false),
    verified: boolean("verified").notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("customers_identity").on(t.merchantId, t.env, sql`lower(${t.email})`),
    // By the first characters of an address.
    index("customers_email").on(t.merchantId, t.env, sql`lower(${t.email}) text_pattern_ops`),
    index("customers_merchant").on(t.merchantId, t.env, t.id),
  ],
);

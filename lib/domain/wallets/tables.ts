import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { env, network } from "#lib/domain/columns.ts";
import { customers, merchants } from "#lib/domain/merchants/tables.ts";
import { createdAt, id } from "#lib/platform/db/columns.ts";

/**
 * One counter per account public key, shared by every network that derives from it, and one per pool
 * (docs/chains.md, Keys).
 */
export const accountKeys = pgTable("account_keys", {
  id: id(),
  env: env(),
  /**
   * Point and chain code in hex, the same for every spelling of the account public key. For a pool:
   * "pool:live:solana".
   */
  key: text("key").notNull().unique(),
  nextIndex: integer("next_index").notNull().default(0),
  createdAt: createdAt(),
});

/**
 * Addresses that the operator created offline and imported, for networks without derivable addresses
 * (docs/chains.md, Keys). They are allocated by index. Indexes below next_index of their account key are
 * allocated.
 */
export const poolAddresses = pgTable(
  "pool_addresses",
  {
    accountKeyId: bigint("account_key_id", { mode: "number" })
      .notNull()
      .references(() => accountKeys.id),
    index: integer("index").notNull(),
    network: network(),
    /** Canonical form. */
    address: text("address").notNull(),
    /** From the root, as in the import. "imported" if the import did not have a path. */
    path: text("path").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.accountKeyId, t.index] }),
    // For both environments together, because they never share an address.
    uniqueIndex("pool_addresses_identity").on(t.network, t.address),
  ],
);

export const addresses = pgTable(
  "addresses",
  {
    id: id(),
    env: env(),
    network: network(),
    /** Canonical form. Scans of the chain compare with it. */
    address: text("address").notNull(),
    accountKeyId: bigint("account_key_id", { mode: "number" })
      .notNull()
      .references(() => accountKeys.id),
    /** -1 for the account itself, in addition to its numbered addresses. */
    index: integer("index").notNull(),
    path: text("path").notNull(),
    /** Null for the account itself and for skipped addresses. */
    merchantId: bigint("merchant_id", { mode: "number" }).references(() => merchants.id),
    /**
     * payment_link, customer or merchant (genesis 1). account: the one account of a network such as XRP, for
     * payments without a known tag. skipped: possibly allocated by a lost database.
     */
    purpose: text("purpose")
      .$type<"payment_link" | "customer" | "merchant" | "account" | "skipped">()
      .notNull(),
    customerId: bigint("customer_id", { mode: "number" }).references(() => customers.id),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("addresses_identity").on(t.env, t.network, t.address),
    uniqueIndex("addresses_derivation").on(t.accountKeyId, t.index),
    index("addresses_network").on(t.env, t.network, t.id),
    index("addresses_newest").on(t.env, t.network, t.createdAt),
    index("addresses_merchant").on(t.merchantId, t.env, t.network, t.id),
    // By the first characters of an address.
    index("addresses_text").on(t.merchantId, t.env, t.address.op("text_pattern_ops")),
    index("addresses_customer").on(t.customerId, t.network, t.id).where(sql`purpose = 'customer'`),
    index("addresses_own").on(t.merchantId, t.env, t.network, t.id).where(sql`purpose = 'merchant'`),
    check("addresses_owner", sql`(purpose in ('account', 'skipped')) = (merchant_id is null)`),
  ],
);

/**
 * The number of a merchant's addresses on a network, so that they need not be counted. A trigger on
 * addresses updates it (`keep_address_counts`). No row means none.
 */
export const addressCounts = pgTable(
  "address_counts",
  {
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    env: env(),
    network: network(),
    count: bigint("count", { mode: "number" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.env, t.network] })],
);

/**
 * The number of a merchant's addresses on a network that were ever credited. A trigger on deposit_totals updates it
 * (`keep_paid_address_counts`). No row means none. Apart from address_counts, so that a new address never waits for a
 * watcher.
 */
export const paidAddressCounts = pgTable(
  "paid_address_counts",
  {
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    env: env(),
    network: network(),
    count: bigint("count", { mode: "number" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.env, t.network] })],
);

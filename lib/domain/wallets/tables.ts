import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { env, network } from "#lib/domain/columns.ts";
import { customers, merchants } from "#lib/domain/merchants/tables.ts";
import { createdAt, id } from "#lib/platform/db/columns.ts";

/** One counter per account public key, over every network that derives from it, and per pool (docs/chains.md, Keys). */
export const accountKeys = pgTable("account_keys", {
  id: id(),
  env: env(),
  /** Point and chain code in hex: the same for every spelling of the account public key. A pool: "pool:live:solana". */
  key: text("key").notNull().unique(),
  nextIndex: integer("next_index").notNull().default(0),
  createdAt: createdAt(),
});

/**
 * Addresses that the operator made offline and imported, for networks whose keys derive none (docs/chains.md, Keys). They
 * are given out by index; those below their account key's next_index are.
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
    /** From the root, as the import said; "imported" where it did not. */
    path: text("path").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.accountKeyId, t.index] }),
    // Over both environments: they never share an address.
    uniqueIndex("pool_addresses_identity").on(t.network, t.address),
  ],
);

export const addresses = pgTable(
  "addresses",
  {
    id: id(),
    env: env(),
    network: network(),
    /** Canonical form: what the chain's scan compares with. */
    address: text("address").notNull(),
    accountKeyId: bigint("account_key_id", { mode: "number" })
      .notNull()
      .references(() => accountKeys.id),
    /** -1: the account itself, beside its numbered addresses. */
    index: integer("index").notNull(),
    path: text("path").notNull(),
    /** null: nobody's, the account itself or a skipped one. */
    merchantId: bigint("merchant_id", { mode: "number" }).references(() => merchants.id),
    /**
     * payment_link, customer or merchant (genesis 1); account: where all addresses of a network are one account (XRP),
     * what arrives there and names none of them; skipped: perhaps given out, by a database that was lost.
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
    index("addresses_merchant").on(t.merchantId, t.env, t.network, t.id),
    index("addresses_customer").on(t.customerId, t.network, t.id).where(sql`purpose = 'customer'`),
    index("addresses_own").on(t.merchantId, t.env, t.network, t.id).where(sql`purpose = 'merchant'`),
    check("addresses_owner", sql`(purpose in ('account', 'skipped')) = (merchant_id is null)`),
  ],
);

/**
 * How many addresses a merchant has on a network, so that nobody has to count them. A trigger on addresses keeps it
 * (migration service_interface). No row: none.
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

import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { TokenCode } from "#lib/money/tokens.ts";
import type { Env } from "#lib/networks/network-data.ts";
import type { NetworkCode } from "#lib/networks/networks.ts";

/** Money: an integer of the token's ledger unit (or the currency's smallest unit), never a float. */
const units = customType<{ data: bigint; driverData: string }>({
  dataType: () => "numeric(78,0)",
  fromDriver: (value) => BigInt(value),
  toDriver: (value) => value.toString(),
});
const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });
const id = () => bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity();
const createdAt = () => moment("created_at").notNull().defaultNow();
const updatedAt = () => moment("updated_at").notNull().defaultNow();
const env = () => text("env").$type<Env>().notNull();
const network = () => text("network").$type<NetworkCode>().notNull();
const token = () => text("token").$type<TokenCode>().notNull();

export const merchants = pgTable("merchants", {
  id: id(),
  email: text("email").notNull().unique(),
  name: text("name").notNull(),
  /** active, disabled or removed. */
  status: text("status").$type<"active" | "disabled" | "removed">().notNull().default("active"),
  latePolicy: text("late_policy").$type<"hold" | "accept">().notNull().default("hold"),
  /** Percent as decimal text, e.g. "1" or "0.75". */
  feePercentage: text("fee_percentage").notNull().default("1"),
  toleranceUnderBps: integer("tolerance_under_bps").notNull().default(0),
  toleranceOverBps: integer("tolerance_over_bps").notNull().default(0),
  /** Basis points by which every quote asks for more of a token than the market's rate would; 0 or more. */
  rateMarkupBps: integer("rate_markup_bps").notNull().default(0),
  /** Rates fixed by the merchant instead of the market's, "usdt/ngn=1600,btc/usd=60000"; null: none. */
  fixedRates: text("fixed_rates"),
  allowOrigins: text("allow_origins").array().notNull().default(sql`'{}'`),
  /** SHA-256 of the logo in merchant_logos, in hex; null: no logo. */
  logo: text("logo"),
  /** "#rrggbb"; null: Paylink's own colour. */
  accent: text("accent"),
  /** Mail address, https URL or telephone number where customers find help. */
  support: text("support"),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

/** The pictures, apart from the rows that every request reads. */
export const merchantLogos = pgTable(
  "merchant_logos",
  {
    merchantId: bigint("merchant_id", { mode: "number" })
      .primaryKey()
      .references(() => merchants.id),
    /** SHA-256 of the bytes, in hex. Two merchants may have the same. */
    hash: text("hash").notNull(),
    /** WebP, made by the operator's command. */
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
    scope: text("scope").$type<"full" | "read" | "payment-links">().notNull().default("full"),
    /** SHA-256 of the key; the key itself is shown once and kept nowhere. */
    hash: bytes("hash").notNull().unique(),
    last4: text("last4").notNull(),
    createdAt: createdAt(),
    expiresAt: moment("expires_at"),
    lastUsedAt: moment("last_used_at"),
    revokedAt: moment("revoked_at"),
  },
  (t) => [index("api_keys_merchant").on(t.merchantId)],
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

/** What the operator lets a network do in an environment. Every network of the service has its row. */
export const networkSettings = pgTable(
  "network_settings",
  {
    id: id(),
    env: env(),
    /** Any of ALL_NETWORK_CODES. */
    network: text("network").notNull(),
    status: boolean("status").notNull().default(true),
    send: boolean("send").notNull().default(true),
    receive: boolean("receive").notNull().default(true),
    generate: boolean("generate").notNull().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex("network_settings_identity").on(t.env, t.network)],
);

/** What the operator lets be done with a token in an environment, and between which amounts. Every token has its row. */
export const tokenSettings = pgTable(
  "token_settings",
  {
    id: id(),
    env: env(),
    token: token(),
    status: boolean("status").notNull(),
    send: boolean("send").notNull(),
    receive: boolean("receive").notNull(),
    buy: boolean("buy").notNull(),
    sell: boolean("sell").notNull(),
    swap: boolean("swap").notNull(),
    /** Ledger units of the token, like all that follow but minimumFee. */
    minimumTrade: units("minimum_trade").notNull(),
    maximumTrade: units("maximum_trade").notNull(),
    minimumSend: units("minimum_send").notNull(),
    maximumSend: units("maximum_send").notNull(),
    minimumReceive: units("minimum_receive").notNull(),
    maximumReceive: units("maximum_receive").notNull(),
    sendFee: units("send_fee").notNull(),
    /** Least fee of a buy, ledger units of USDT. */
    minimumFee: units("minimum_fee").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex("token_settings_identity").on(t.env, t.token)],
);

export const customers = pgTable(
  "customers",
  {
    id: id(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    env: env(),
    email: text("email").notNull(),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    phone: text("phone"),
    blacklisted: boolean("blacklisted").notNull().default(false),
    verified: boolean("verified").notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("customers_identity").on(t.merchantId, t.env, t.email),
    index("customers_merchant").on(t.merchantId, t.env, t.id),
  ],
);

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
    expiresAt: moment("expires_at").notNull(),
    /** JSON text exactly as submitted; null when absent. */
    metadata: text("metadata"),
    walletPreGenerated: boolean("wallet_pre_generated").notNull(),
    state: text("state").notNull().default("open"),
    reason: text("reason"),
    late: boolean("late").notNull().default(false),
    version: integer("version").notNull().default(1),
    seq: integer("seq").notNull().default(0),
    /** When the sweep must look again; null once no time can change the state. */
    nextCheckAt: moment("next_check_at"),
    completedAt: moment("completed_at"),
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
    rateAt: moment("rate_at").notNull(),
    validFrom: moment("valid_from").notNull(),
    validUntil: moment("valid_until").notNull(),
  },
  (t) => [index("quotes_link").on(t.paymentLinkId, t.network, t.id)],
);

/** Every movement to an address of ours, once (docs/chains.md, Any chain). */
export const deposits = pgTable(
  "deposits",
  {
    id: id(),
    env: env(),
    network: network(),
    token: token(),
    /** null: at an account, for an address that nobody was given. A person resolves whose it is. */
    merchantId: bigint("merchant_id", { mode: "number" }).references(() => merchants.id),
    addressId: bigint("address_id", { mode: "number" })
      .notNull()
      .references(() => addresses.id),
    txHash: text("tx_hash").notNull(),
    position: integer("position").notNull(),
    amount: units("amount").notNull(),
    sender: text("sender"),
    extra: text("extra"),
    spends: text("spends").array().notNull().default(sql`'{}'`),
    /** 0 seen, 1 credited, 2 dropped, 3 held: confirmed and booked as unmatched, nobody's yet. */
    status: integer("status").$type<0 | 1 | 2 | 3>().notNull().default(0),
    /** null while unconfirmed, and after the chain took the block back. */
    blockHeight: bigint("block_height", { mode: "number" }),
    blockHash: text("block_hash"),
    blockTime: moment("block_time"),
    confirmations: integer("confirmations").notNull().default(0),
    requiredConfirmations: integer("required_confirmations").notNull(),
    /** Set when nothing may credit it by itself: listed as unmatched until a person resolves it, kept then too. */
    unmatchedReason: text("unmatched_reason"),
    /** Grows with each credit, so that every credit and its reversal has a cause of its own. */
    creditRound: integer("credit_round").notNull().default(0),
    firstSeenAt: moment("first_seen_at").notNull(),
    confirmedAt: moment("confirmed_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: moment("deleted_at"),
  },
  (t) => [
    uniqueIndex("deposits_identity").on(t.env, t.network, t.txHash, t.position),
    index("deposits_pending").on(t.env, t.network, t.id).where(sql`status = 0`),
    index("deposits_height").on(t.env, t.network, t.blockHeight),
    // By -id: a list ordered by id alone is sometimes read from the primary key, past everybody else's deposits.
    index("deposits_merchant").on(t.merchantId, t.env, sql`(-id)`),
    index("deposits_credited").on(t.merchantId, t.env, sql`(-id)`).where(sql`status = 1`),
    index("deposits_hash").on(t.merchantId, t.env, t.txHash),
    index("deposits_address").on(t.addressId),
    index("deposits_spends").using("gin", t.spends).where(sql`cardinality(spends) > 0`),
    index("deposits_unmatched").on(t.env, t.id).where(sql`unmatched_reason is not null and status in (0, 3)`),
    check("deposits_status", sql`status in (0, 1, 2, 3)`),
    check("deposits_held", sql`status <> 3 or unmatched_reason is not null`),
    check("deposits_amount", sql`amount > 0`),
    check("deposits_owner", sql`merchant_id is not null or (unmatched_reason is not null and status <> 1)`),
  ],
);

/**
 * What is credited to an address in a token, so that nobody has to add it up. A trigger on deposits keeps it, in the
 * statement that changes them (migration total_received). No row: nothing yet.
 */
export const depositTotals = pgTable(
  "deposit_totals",
  {
    addressId: bigint("address_id", { mode: "number" })
      .notNull()
      .references(() => addresses.id),
    token: token(),
    /** Ledger units. */
    total: units("total").notNull(),
  },
  (t) => [primaryKey({ columns: [t.addressId, t.token] })],
);

/**
 * Tokens that the service keeps no books of, at addresses of ours: only what the chain has made final. Their
 * contracts can say anything, so that the number of rows is capped and no name or decimals are kept.
 */
export const foreignDeposits = pgTable(
  "foreign_deposits",
  {
    /** From the deposits' sequence: one id names one unmatched deposit, of either table. */
    id: bigint("id", { mode: "number" }).primaryKey().default(sql`nextval('deposits_id_seq')`),
    env: env(),
    network: network(),
    /** Canonical form. */
    contract: text("contract").notNull(),
    /** null: at nobody's address, until a person resolves it. */
    merchantId: bigint("merchant_id", { mode: "number" }).references(() => merchants.id),
    addressId: bigint("address_id", { mode: "number" })
      .notNull()
      .references(() => addresses.id),
    txHash: text("tx_hash").notNull(),
    position: integer("position").notNull(),
    /** In whatever unit the contract counts. */
    rawAmount: units("raw_amount").notNull(),
    sender: text("sender"),
    blockHeight: bigint("block_height", { mode: "number" }).notNull(),
    blockHash: text("block_hash").notNull(),
    resolvedAt: moment("resolved_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex("foreign_deposits_identity").on(t.env, t.network, t.txHash, t.position),
    index("foreign_deposits_open").on(t.env, t.id).where(sql`resolved_at is null`),
    index("foreign_deposits_address").on(t.addressId),
    check("foreign_deposits_amount", sql`raw_amount > 0`),
  ],
);

/** How far a network was searched for tokens that the service keeps no books of. */
export const foreignSweeps = pgTable(
  "foreign_sweeps",
  {
    env: env(),
    network: network(),
    /** Every block up to it was read, for every address given out by then. */
    height: bigint("height", { mode: "number" }).notNull(),
    /** Who moves this on does the next part: two workers never do the same one. */
    nextAt: moment("next_at").notNull(),
    updatedAt: updatedAt(),
  },
  (t) => [primaryKey({ columns: [t.env, t.network] })],
);

/** What people decided, once each, for ever. */
export const auditLog = pgTable(
  "audit_log",
  {
    id: id(),
    at: moment("at").notNull(),
    /** "operator:{system user}". */
    actor: text("actor").notNull(),
    /** "deposit.resolve". */
    action: text("action").notNull(),
    /** What it was done to: "deposit:12". */
    subject: text("subject").notNull(),
    details: jsonb("details").$type<Readonly<Record<string, unknown>>>().notNull(),
  },
  (t) => [index("audit_log_subject").on(t.subject, t.id)],
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

/** Where a watcher stands. Moves only past blocks read whole, in the transaction that records their deposits. */
export const watchCursors = pgTable(
  "watch_cursors",
  {
    env: env(),
    network: network(),
    /** -1 before the first pass: nothing is known but the error. */
    height: bigint("height", { mode: "number" }).notNull(),
    hash: text("hash").notNull(),
    nodeHeight: bigint("node_height", { mode: "number" }).notNull(),
    /** Start of the newest whole pass (head and mempool): what happened before it has been seen. */
    passStartedAt: moment("pass_started_at"),
    error: text("error"),
    updatedAt: updatedAt(),
  },
  (t) => [primaryKey({ columns: [t.env, t.network] })],
);

/** Hashes of blocks already read, newest kept: where a walk back finds the fork. */
export const watchedBlocks = pgTable(
  "watched_blocks",
  {
    env: env(),
    network: network(),
    height: bigint("height", { mode: "number" }).notNull(),
    hash: text("hash").notNull(),
  },
  (t) => [primaryKey({ columns: [t.env, t.network, t.height] })],
);

export const ledgerAccounts = pgTable(
  "ledger_accounts",
  {
    id: id(),
    env: env(),
    token: token(),
    /** custody:{network}, merchant:{id}, reserved:{withdrawal}, fees, desk, unmatched:{network}, receivable:{merchant id}. */
    code: text("code").notNull(),
    merchantId: bigint("merchant_id", { mode: "number" }).references(() => merchants.id),
    /** The fold of its postings, kept in the same transaction as each of them. */
    balance: units("balance").notNull().default(sql`0`),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex("ledger_accounts_identity").on(t.env, t.code, t.token),
    index("ledger_accounts_merchant").on(t.merchantId, t.env),
    check(
      "ledger_accounts_not_negative",
      sql`balance >= 0 or not (code like 'merchant:%' or code like 'reserved:%')`,
    ),
  ],
);

export const ledgerTransfers = pgTable(
  "ledger_transfers",
  {
    id: id(),
    env: env(),
    token: token(),
    fromAccountId: bigint("from_account_id", { mode: "number" })
      .notNull()
      .references(() => ledgerAccounts.id),
    toAccountId: bigint("to_account_id", { mode: "number" })
      .notNull()
      .references(() => ledgerAccounts.id),
    amount: units("amount").notNull(),
    /** Names why it exists, once: "deposit:12:1", "deposit:12:1:reversal". */
    cause: text("cause").notNull(),
    reversalOf: bigint("reversal_of", { mode: "number" }).unique(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("ledger_transfers_cause").on(t.cause),
    check("ledger_transfers_amount", sql`amount > 0`),
    check("ledger_transfers_accounts", sql`from_account_id <> to_account_id`),
  ],
);

export const ledgerPostings = pgTable(
  "ledger_postings",
  {
    id: id(),
    transferId: bigint("transfer_id", { mode: "number" })
      .notNull()
      .references(() => ledgerTransfers.id),
    accountId: bigint("account_id", { mode: "number" })
      .notNull()
      .references(() => ledgerAccounts.id),
    /** Signed: minus on the account it leaves, plus on the one it reaches. */
    amount: units("amount").notNull(),
    balanceBefore: units("balance_before").notNull(),
    balanceAfter: units("balance_after").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("ledger_postings_account").on(t.accountId, t.id),
    index("ledger_postings_time").on(t.accountId, t.createdAt),
    uniqueIndex("ledger_postings_side").on(t.transferId, t.accountId),
    check("ledger_postings_sum", sql`balance_after = balance_before + amount`),
  ],
);

/** A buy of a token with USDT, at the desk (docs/decisions.md, Ledger). */
export const buys = pgTable(
  "buys",
  {
    id: id(),
    env: env(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    token: token(),
    /** Ledger units of the token. */
    amount: units("amount").notNull(),
    /** Ledger units of USDT, like the fee. */
    cost: units("cost").notNull(),
    fee: units("fee").notNull(),
    /** USD for one whole token, decimal text. */
    price: text("price").notNull(),
    priceSource: text("price_source").notNull(),
    priceAt: moment("price_at").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("buys_merchant").on(t.merchantId, t.env, t.id),
    check("buys_amounts", sql`amount > 0 and cost > 0 and fee >= 0`),
  ],
);

/** Movements that a rule refused: what history shows with status 0. The newest of each merchant only. */
export const refusedAttempts = pgTable(
  "refused_attempts",
  {
    id: id(),
    env: env(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    token: token(),
    direction: text("direction").$type<"credit" | "debit">().notNull(),
    amount: units("amount").notNull(),
    /** What stood on the account: nothing moved. */
    balance: units("balance").notNull(),
    reason: text("reason").notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("refused_attempts_merchant").on(t.merchantId, t.env, t.id)],
);

/** What came in and went out for a merchant, in USD at the prices of the day: kept, so that statistics never add up. */
export const merchantTotals = pgTable(
  "merchant_totals",
  {
    env: env(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    /** Of 10^-8 USD. */
    credit: units("credit").notNull().default(sql`0`),
    debit: units("debit").notNull().default(sql`0`),
    updatedAt: updatedAt(),
  },
  (t) => [primaryKey({ columns: [t.env, t.merchantId] })],
);

/** USD worth of a transfer to or from a merchant; null while no price is known. Then it is not in the totals yet. */
export const transferValues = pgTable(
  "transfer_values",
  {
    transferId: bigint("transfer_id", { mode: "number" })
      .primaryKey()
      .references(() => ledgerTransfers.id),
    env: env(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    direction: text("direction").$type<"credit" | "debit">().notNull(),
    /** Of 10^-8 USD; negative takes back what was counted before. */
    usd: units("usd"),
    createdAt: createdAt(),
  },
  (t) => [index("transfer_values_unpriced").on(t.transferId).where(sql`usd is null`)],
);

/** The send queue (docs/decisions.md, Withdrawals). */
export const withdrawals = pgTable(
  "withdrawals",
  {
    id: id(),
    /** Numeric text, what people quote. */
    refid: text("refid").notNull().unique(),
    env: env(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    token: token(),
    network: network(),
    /** Canonical form. */
    toAddress: text("to_address").notNull(),
    /** Ledger units; the fee stands on top. */
    amount: units("amount").notNull(),
    fee: units("fee").notNull(),
    /** 0 pending, 1 processing, 2 failed, 3 completed, 5 refund queued. */
    status: integer("status").$type<0 | 1 | 2 | 3 | 5>().notNull().default(0),
    checked: boolean("checked").notNull().default(false),
    txHash: text("tx_hash"),
    /**
     * Every transaction that was ever named for it, the newest last: one that was replaced can still pay. `spends`:
     * what only one transaction of a chain can use, and `block` the one that held it last, as far as they are known.
     */
    transactions: jsonb("transactions")
      .$type<
        readonly {
          readonly hash: string;
          readonly namedAt: string;
          readonly spends: readonly string[];
          readonly block: string | null;
        }[]
      >()
      .notNull()
      .default([]),
    /** The withdrawal whose failure this one makes good. */
    refundOf: bigint("refund_of", { mode: "number" }),
    failureReason: text("failure_reason"),
    processedAt: moment("processed_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index("withdrawals_merchant").on(t.merchantId, t.env, t.id),
    index("withdrawals_open").on(t.env, t.network, t.id).where(sql`status in (0, 1, 5)`),
    uniqueIndex("withdrawals_hash").on(t.env, t.network, t.txHash, t.toAddress),
    uniqueIndex("withdrawals_refund").on(t.refundOf),
    check("withdrawals_status", sql`status in (0, 1, 2, 3, 5)`),
    check("withdrawals_amounts", sql`amount > 0 and fee >= 0`),
  ],
);

export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: id(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    env: env(),
    /** null: the secret exists, no address yet. */
    url: text("url"),
    /** "whsec_…" sealed with SECRET_KEY (lib/server/secrets.ts). */
    secret: bytes("secret").notNull(),
    /** null: every event type. */
    eventTypes: text("event_types").array(),
    /** The secret before the last rotation, sealed too: signs beside the new one until then. */
    previousSecret: bytes("previous_secret"),
    previousSecretUntil: moment("previous_secret_until"),
    /** First failure since the last success; null: none. */
    failingSince: moment("failing_since"),
    disabledAt: moment("disabled_at"),
    /** Sent nothing and shown nowhere, kept for its deliveries. */
    removedAt: moment("removed_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index("webhook_endpoints_merchant").on(t.merchantId, t.env)],
);

export const webhookEvents = pgTable(
  "webhook_events",
  {
    /** The integer of webhook_ids; "evt_" and it is the webhook-id header. */
    id: id(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    env: env(),
    type: text("type").notNull(),
    /** The exact bytes that are sent and signed. */
    body: text("body").notNull(),
    /** Hashes the event speaks of: what endpoint 25 looks up. */
    txHashes: text("tx_hashes").array().notNull().default(sql`'{}'`),
    createdAt: createdAt(),
  },
  (t) => [
    index("webhook_events_hashes").using("gin", t.txHashes),
    index("webhook_events_merchant").on(t.merchantId, t.env, t.id),
    index("webhook_events_time").on(t.merchantId, t.env, t.createdAt),
  ],
);

export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: id(),
    eventId: bigint("event_id", { mode: "number" })
      .notNull()
      .references(() => webhookEvents.id),
    endpointId: bigint("endpoint_id", { mode: "number" })
      .notNull()
      .references(() => webhookEndpoints.id),
    /** due, delivered, or failed for good. */
    status: text("status").$type<"due" | "delivered" | "failed">().notNull().default("due"),
    attempts: integer("attempts").notNull().default(0),
    /** The truth about when to try (again); a sweep finds it whatever became of the job. */
    nextAttemptAt: moment("next_attempt_at"),
    /** Until then one worker is sending it and no other may; past it, that worker is taken for dead. */
    claimedUntil: moment("claimed_until"),
    lastStatus: integer("last_status"),
    lastError: text("last_error"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index("webhook_deliveries_lane").on(t.endpointId, t.nextAttemptAt, t.id).where(sql`status = 'due'`),
    index("webhook_deliveries_event").on(t.eventId),
    index("webhook_deliveries_endpoint").on(t.endpointId, t.id),
    index("webhook_deliveries_undelivered").on(t.endpointId, t.id).where(sql`status <> 'delivered'`),
  ],
);

/** What each attempt met, for as long as the log is kept. One that was killed on its way is not in it. */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    id: id(),
    deliveryId: bigint("delivery_id", { mode: "number" })
      .notNull()
      .references(() => webhookDeliveries.id),
    /** From 1. */
    attempt: integer("attempt").notNull(),
    /** Where it went: the endpoint's address may be another one today. */
    url: text("url").notNull(),
    /** Its whole seconds are the webhook-timestamp. */
    startedAt: moment("started_at").notNull(),
    durationMs: integer("duration_ms").notNull(),
    /** HTTP status; null: no answer. */
    status: integer("status"),
    error: text("error"),
    /** The first 2 KiB of the answer's body; null: no answer. */
    answer: bytes("answer"),
  },
  (t) => [index("webhook_attempts_delivery").on(t.deliveryId, t.id)],
);

export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    env: env(),
    key: text("key").notNull(),
    /** SHA-256 over method, path and body. */
    requestHash: bytes("request_hash").notNull(),
    /** null only inside the transaction that makes it. */
    status: integer("status"),
    response: text("response"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.env, t.key] }),
    index("idempotency_keys_age").on(t.createdAt),
  ],
);

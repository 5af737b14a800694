import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { env, network, token } from "#lib/domain/columns.ts";
import {
  DEPOSIT_STATUSES,
  depositLiteral,
  depositLiterals,
  depositStatus,
} from "#lib/domain/deposit-status.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { createdAt, id, timestampMs, units, updatedAt } from "#lib/platform/db/columns.ts";

/** Every transfer to one of our addresses, once (docs/chains.md, Rules for every chain). */
export const deposits = pgTable(
  "deposits",
  {
    id: id(),
    env: env(),
    network: network(),
    token: token(),
    /** The owner of the address. Null: a transfer to an account without an allocated address. The operator resolves it. */
    merchantId: bigint("merchant_id", { mode: "number" }).references(() => merchants.id),
    addressId: bigint("address_id", { mode: "number" })
      .notNull()
      .references(() => addresses.id),
    txHash: text("tx_hash").notNull(),
    position: integer("position").notNull(),
    amount: units("amount").notNull(),
    sender: text("sender"),
    extra: text("extra"),
    /** All outpoints of the transaction, at the first of its deposits that were inserted together; else empty. */
    spends: text("spends").array().notNull().default(sql`'{}'`),
    status: depositStatus("status").notNull().default(depositLiteral("seen")),
    /** The block is null while the deposit is unconfirmed, and after a reorg removed it. */
    blockHeight: bigint("block_height", { mode: "number" }),
    blockHash: text("block_hash"),
    blockTime: timestampMs("block_time"),
    confirmations: integer("confirmations").notNull().default(0),
    requiredConfirmations: integer("required_confirmations").notNull(),
    /** Set when it is not credited automatically. It stays set after the operator resolves the deposit. */
    unmatchedReason: text("unmatched_reason"),
    /** Grows with each credit, so that every credit and its reversal has its own cause. */
    creditRound: integer("credit_round").notNull().default(0),
    /** When the whole amount was first seen at the address. */
    firstSeenAt: timestampMs("first_seen_at").notNull(),
    /** The part of the amount that a transaction paid to the address before this one replaced it. */
    earlyAmount: units("early_amount").notNull().default(sql`0`),
    /** When that part was first seen. null: no such part. */
    earlySeenAt: timestampMs("early_seen_at"),
    confirmedAt: timestampMs("confirmed_at"),
    /**
     * "mempool": the network once forgot it, or replaced it, while it waited. It stays so: when it is seen again, its money is
     * new. "block": a reorg removed it from a block, and it was not seen since. null: neither.
     */
    droppedFrom: text("dropped_from").$type<"block" | "mempool">(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: timestampMs("deleted_at"),
  },
  (t) => [
    uniqueIndex("deposits_identity").on(t.env, t.network, t.txHash, t.position),
    index("deposits_pending")
      .on(t.env, t.network, t.id)
      .where(sql`status = ${depositLiteral("seen")}`),
    index("deposits_height").on(t.env, t.network, t.blockHeight),
    // By -id: PostgreSQL sometimes reads a list ordered by id from the primary key, through all other deposits.
    index("deposits_merchant").on(t.merchantId, t.env, sql`(-id)`),
    index("deposits_credited")
      .on(t.merchantId, t.env, sql`(-id)`)
      .where(sql`status = ${depositLiteral("credited")}`),
    // Also by the first characters of a hash.
    index("deposits_hash").on(t.merchantId, t.env, t.txHash.op("text_pattern_ops")),
    index("deposits_address").on(t.addressId),
    index("deposits_spends").using("gin", t.spends).where(sql`cardinality(spends) > 0`),
    // All of them for the operator, and a merchant's own. While few wait, PostgreSQL reads by any index that has them: the second is only for
    // a query of a merchant.
    index("deposits_unmatched")
      .on(t.env, t.id)
      .where(sql`unmatched_reason is not null and status in ${depositLiterals(["seen", "held"])}`),
    index("deposits_unmatched_merchant")
      .on(t.merchantId, t.env, t.id)
      .where(
        sql`unmatched_reason is not null and status in ${depositLiterals(["seen", "held"])} and merchant_id is not null`,
      ),
    // Networks whose deposits are spent as they are. The same condition is in listSpendable.
    index("deposits_spendable")
      .on(t.env, t.network, t.confirmedAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`status = ${depositLiteral("credited")} and network in ('bitcoin', 'litecoin', 'dogecoin')`),
    index("deposits_open")
      .on(t.addressId, t.token)
      .where(sql`unmatched_reason is not null and status in ${depositLiterals(["seen", "held"])}`),
    check("deposits_status", sql`status in ${depositLiterals(DEPOSIT_STATUSES)}`),
    check("deposits_held", sql`status <> ${depositLiteral("held")} or unmatched_reason is not null`),
    check("deposits_amount", sql`amount > 0`),
    check(
      "deposits_early",
      sql`early_amount >= 0 and early_amount < amount and (early_amount > 0) = (early_seen_at is not null)`,
    ),
    check(
      "deposits_owner",
      sql`merchant_id is not null or (unmatched_reason is not null and status <> ${depositLiteral("credited")})`,
    ),
  ],
);

/**
 * The sum of the credited deposits of an address in a token. A trigger on deposits updates it in the statement that
 * changes them (`keep_deposit_totals`). No row means 0.
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
 * Amounts that addresses received of a token on a network since it was last swept to the hot account: only a hint where the signer of the
 * network looks next, which asks a node for the balance. A trigger on deposits adds credited and held deposits (`keep_unswept_amounts`),
 * except on networks whose deposits are not swept. The signer deletes what a node called empty three hours after the last credit, or at once
 * if a later sweep explains it.
 */
export const unsweptAmounts = pgTable(
  "unswept_amounts",
  {
    addressId: bigint("address_id", { mode: "number" })
      .notNull()
      .references(() => addresses.id),
    token: token(),
    env: env(),
    network: network(),
    /** Ledger units. */
    amount: units("amount").notNull(),
    /** The signer does not look at it before. Null if it may look now. */
    retryAt: timestampMs("retry_at"),
  },
  (t) => [
    // EVM networks share addresses, and each has a signer of its own: dust on one must not hide money on another.
    primaryKey({ columns: [t.addressId, t.token, t.network] }),
    index("unswept_amounts_due").on(t.env, t.network, t.token, t.amount).where(sql`retry_at is null`),
    index("unswept_amounts_retry").on(t.env, t.network, t.retryAt).where(sql`retry_at is not null`),
  ],
);

/**
 * Deposits below the minimum of their link that were credited or reversed, until one event reports those of a link
 * together. It compares `reported` with the deposit's status then, so that nothing is lost or reported twice.
 */
export const smallDeposits = pgTable(
  "small_deposits",
  {
    depositId: bigint("deposit_id", { mode: "number" })
      .primaryKey()
      .references(() => deposits.id),
    /** No reference: the tables of links refer to this file. */
    paymentLinkId: bigint("payment_link_id", { mode: "number" }).notNull(),
    /** True if the last event said that it is credited. */
    reported: boolean("reported").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("small_deposits_link").on(t.paymentLinkId),
    index("small_deposits_due").on(t.createdAt, t.paymentLinkId),
  ],
);

/**
 * Final transfers of unlisted tokens to our addresses. Their contracts can report anything, so the number of rows is
 * limited, and no name or decimals are stored.
 */
export const foreignDeposits = pgTable(
  "foreign_deposits",
  {
    /** From the sequence of deposits: an id identifies one unmatched deposit, in either table. */
    id: bigint("id", { mode: "number" }).primaryKey().default(sql`nextval('deposits_id_seq')`),
    env: env(),
    network: network(),
    /** Canonical form. */
    contract: text("contract").notNull(),
    /** The owner of the address. Null: the address is unassigned, until the operator resolves the deposit. */
    merchantId: bigint("merchant_id", { mode: "number" }).references(() => merchants.id),
    addressId: bigint("address_id", { mode: "number" })
      .notNull()
      .references(() => addresses.id),
    txHash: text("tx_hash").notNull(),
    position: integer("position").notNull(),
    /** In the unit that the contract counts in. */
    rawAmount: units("raw_amount").notNull(),
    sender: text("sender"),
    blockHeight: bigint("block_height", { mode: "number" }).notNull(),
    blockHash: text("block_hash").notNull(),
    resolvedAt: timestampMs("resolved_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex("foreign_deposits_identity").on(t.env, t.network, t.txHash, t.position),
    index("foreign_deposits_open").on(t.env, t.id).where(sql`resolved_at is null`),
    index("foreign_deposits_merchant")
      .on(t.merchantId, t.env, t.id)
      .where(sql`resolved_at is null and merchant_id is not null`),
    index("foreign_deposits_address").on(t.addressId),
    check("foreign_deposits_amount", sql`raw_amount > 0`),
  ],
);

/** How far a network was searched for unlisted tokens. */
export const foreignSweeps = pgTable(
  "foreign_sweeps",
  {
    env: env(),
    network: network(),
    /** Every block up to it was read, for every address that was allocated by then. */
    height: bigint("height", { mode: "number" }).notNull(),
    /** The worker that moves this time claims the next range: two workers never read the same one. */
    nextAt: timestampMs("next_at").notNull(),
    updatedAt: updatedAt(),
  },
  (t) => [primaryKey({ columns: [t.env, t.network] })],
);

/** The cursor of a watcher. It moves only over completely read blocks, in the transaction that records their deposits. */
export const watchCursors = pgTable(
  "watch_cursors",
  {
    env: env(),
    network: network(),
    /** -1 before the first pass: the row then holds only the error. */
    height: bigint("height", { mode: "number" }).notNull(),
    hash: text("hash").notNull(),
    nodeHeight: bigint("node_height", { mode: "number" }).notNull(),
    /** Start of the newest complete pass (head and mempool): everything before it has been seen. */
    passStartedAt: timestampMs("pass_started_at"),
    error: text("error"),
    /** Why the node does not show its mempool: payments are then seen when a block holds them. null: it shows it, or has none. */
    mempoolError: text("mempool_error"),
    /** The time of the newest block of the last pass. null: the node does not report it. */
    headTime: timestampMs("head_time"),
    /** See FinalityProgress (lib/domain/network-status/types.ts). */
    finalizedHeight: bigint("finalized_height", { mode: "number" }),
    finalizedSince: timestampMs("finalized_since"),
    finalityLate: boolean("finality_late").notNull().default(false),
    /** Blocks gap_from..gap_to were never read: no node had them at the first pass. null: the operator checked them, or none. */
    gapFrom: bigint("gap_from", { mode: "number" }),
    gapTo: bigint("gap_to", { mode: "number" }),
    updatedAt: updatedAt(),
  },
  (t) => [primaryKey({ columns: [t.env, t.network] })],
);

/** Certificates by which Electrum servers are known since their first connection. `paylink node trust` changes them. */
export const nodeCertificates = pgTable(
  "node_certificates",
  {
    env: env(),
    network: network(),
    /** "host:port". */
    node: text("node").notNull(),
    /** SHA-256, in hex. */
    fingerprint: text("fingerprint").notNull(),
    byAuthority: boolean("by_authority").notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.env, t.network, t.node] })],
);

/** Hashes of the newest blocks that were read. They are used to find the fork after a reorg. */
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

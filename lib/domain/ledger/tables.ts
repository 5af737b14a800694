import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { env, token } from "#lib/domain/columns.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { createdAt, id, timestampMs, units, updatedAt } from "#lib/platform/db/columns.ts";

export const ledgerAccounts = pgTable(
  "ledger_accounts",
  {
    id: id(),
    env: env(),
    token: token(),
    /**
     * custody:{network}, merchant:{id}, reserved:{withdrawal}, fees, desk, unmatched:{network}, costs:{network},
     * receivable:{merchant id}.
     */
    code: text("code").notNull(),
    merchantId: bigint("merchant_id", { mode: "number" }).references(() => merchants.id),
    /** The sum of its postings, updated in the same transaction as each of them. */
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

/** Triggers instead of foreign keys check what transfers, postings and values refer to (docs/adr/0005). */
export const ledgerTransfers = pgTable(
  "ledger_transfers",
  {
    id: id(),
    env: env(),
    token: token(),
    fromAccountId: bigint("from_account_id", { mode: "number" }).notNull(),
    toAccountId: bigint("to_account_id", { mode: "number" }).notNull(),
    amount: units("amount").notNull(),
    /** Why the transfer exists: "deposit:12:1", "deposit:12:1:reversal". */
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
    transferId: bigint("transfer_id", { mode: "number" }).notNull(),
    accountId: bigint("account_id", { mode: "number" }).notNull(),
    /** Negative on the source account, positive on the target account. */
    amount: units("amount").notNull(),
    balanceBefore: units("balance_before").notNull(),
    balanceAfter: units("balance_after").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("ledger_postings_account").on(t.accountId, t.id),
    index("ledger_postings_time").on(t.accountId, t.createdAt),
    // A page of one direction. An account may have millions of the other.
    index("ledger_postings_credits").on(t.accountId, t.id).where(sql`amount > 0`),
    index("ledger_postings_debits").on(t.accountId, t.id).where(sql`amount < 0`),
    uniqueIndex("ledger_postings_side").on(t.transferId, t.accountId),
    check("ledger_postings_sum", sql`balance_after = balance_before + amount`),
  ],
);

/** Buys of a token with USDT from the trading desk (docs/decisions.md, Ledger). */
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
    /** Cost and fee are in ledger units of USDT. */
    cost: units("cost").notNull(),
    fee: units("fee").notNull(),
    /** USD for one whole token, decimal text. */
    price: text("price").notNull(),
    priceSource: text("price_source").notNull(),
    priceAt: timestampMs("price_at").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("buys_merchant").on(t.merchantId, t.env, t.id),
    check("buys_amounts", sql`amount > 0 and cost > 0 and fee >= 0`),
  ],
);

/** Attempts that a rule refused. History shows them as refused. Only the newest of each merchant are kept. */
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
    /** The balance of the account at that time. Nothing was posted. */
    balance: units("balance").notNull(),
    reason: text("reason").notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("refused_attempts_merchant").on(t.merchantId, t.env, t.id)],
);

/** A merchant's total credits and debits in USD at the prices of their days. Stored, so that statistics need no sums. */
export const merchantTotals = pgTable(
  "merchant_totals",
  {
    env: env(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    /** In 10^-8 USD. */
    credit: units("credit").notNull().default(sql`0`),
    debit: units("debit").notNull().default(sql`0`),
    updatedAt: updatedAt(),
  },
  (t) => [primaryKey({ columns: [t.env, t.merchantId] })],
);

/** The USD value of a transfer to or from a merchant. */
export const transferValues = pgTable(
  "transfer_values",
  {
    transferId: bigint("transfer_id", { mode: "number" }).primaryKey(),
    env: env(),
    merchantId: bigint("merchant_id", { mode: "number" }).notNull(),
    direction: text("direction").$type<"credit" | "debit">().notNull(),
    /** In 10^-8 USD, negative for a reversal. Null until there is a price: the transfer is not in the totals yet. */
    usd: units("usd"),
    /** Where the price is from, such as "coingecko, kraken". Null in rows of earlier versions. */
    priceSource: text("price_source"),
    createdAt: createdAt(),
  },
  (t) => [index("transfer_values_unpriced").on(t.transferId).where(sql`usd is null`)],
);

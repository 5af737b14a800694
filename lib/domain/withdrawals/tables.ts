import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { env, network, token } from "#lib/domain/columns.ts";
import { users } from "#lib/domain/members/tables.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import {
  OPEN_STATUSES,
  statusLiteral,
  statusLiterals,
  WITHDRAWAL_STATUSES,
  withdrawalStatus,
} from "#lib/domain/withdrawal-status.ts";
import { createdAt, id, timestampMs, units, updatedAt } from "#lib/platform/db/columns.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

/** The send queue (docs/decisions.md, Withdrawals). */
export const withdrawals = pgTable(
  "withdrawals",
  {
    id: id(),
    /** Digits. The reference that people use. */
    refid: text("refid").notNull().unique(),
    env: env(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    token: token(),
    network: network(),
    /** Canonical form. */
    toAddress: text("to_address").notNull(),
    /** Ledger units. The fee is added to the amount. */
    amount: units("amount").notNull(),
    fee: units("fee").notNull(),
    status: withdrawalStatus("status").notNull().default(statusLiteral("pending")),
    /** The key of the request that created it: the same request twice creates one withdrawal. Null: it had none. */
    idempotencyKey: text("idempotency_key"),
    checked: boolean("checked").notNull().default(false),
    txHash: text("tx_hash"),
    /**
     * Every transaction that was ever submitted for it, the newest last: a replaced one can still pay. `spends` is what
     * only one transaction of a chain can use. `block` is the block that contained it last. Both may be unknown.
     * `seen`: a node has reported it. Absent in rows of earlier versions.
     */
    transactions: jsonb("transactions")
      .$type<
        readonly {
          readonly hash: string;
          readonly namedAt: string;
          readonly spends: readonly string[];
          readonly block: string | null;
          readonly seen?: boolean;
        }[]
      >()
      .notNull()
      .default([]),
    /** The failed withdrawal that this one refunds. */
    refundOf: bigint("refund_of", { mode: "number" }),
    /** The payment link whose payment this one refunds. */
    paymentLinkId: bigint("payment_link_id", { mode: "number" }).references(() => paymentLinks.id),
    /** Why staff refund: for the merchant's people alone. Null: they wrote nothing, or it is no refund. */
    reason: text("reason"),
    /** The actor that asked for it, as the audit log names it. Null: before this column. */
    requestedBy: text("requested_by"),
    /** True if it is sent only after an owner or manager has approved it. */
    needsApproval: boolean("needs_approval").notNull().default(false),
    approvedAt: timestampMs("approved_at"),
    /** Why a person must look at it while it is processing. Null: nobody must. */
    finding: text("finding").$type<"amount_mismatch" | "inconclusive" | "unpayable" | "unknown">(),
    /** The words of the finding; later why it failed. */
    failureReason: text("failure_reason"),
    processedAt: timestampMs("processed_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index("withdrawals_merchant").on(t.merchantId, t.env, t.id),
    index("withdrawals_open")
      .on(t.env, t.network, t.id)
      .where(sql`status in ${statusLiterals(OPEN_STATUSES)}`),
    uniqueIndex("withdrawals_hash").on(t.env, t.network, t.txHash, t.toAddress),
    uniqueIndex("withdrawals_refund").on(t.refundOf),
    index("withdrawals_to_approve")
      .on(t.merchantId, t.env, t.id)
      .where(sql`status = ${statusLiteral("pending")} and needs_approval and approved_at is null`),
    index("withdrawals_payment_link").on(t.paymentLinkId, t.id).where(sql`payment_link_id is not null`),
    index("withdrawals_asked")
      .on(t.merchantId, t.env, t.token, t.createdAt)
      .where(sql`status in ${statusLiterals(["pending", "processing", "completed"])}`),
    uniqueIndex("withdrawals_key").on(t.merchantId, t.env, t.idempotencyKey),
    check("withdrawals_status", sql`status in ${statusLiterals(WITHDRAWAL_STATUSES)}`),
    check("withdrawals_amounts", sql`amount > 0 and fee >= 0`),
    check("withdrawals_reason", sql`char_length(reason) between 1 and 200`),
  ],
);

/** Approvals of withdrawals by people of the merchant, each signed by a passkey of theirs. */
export const withdrawalApprovals = pgTable(
  "withdrawal_approvals",
  {
    withdrawalId: bigint("withdrawal_id", { mode: "number" })
      .notNull()
      .references(() => withdrawals.id),
    userId: bigint("user_id", { mode: "number" })
      .notNull()
      .references(() => users.id),
    /** The answer of navigator.credentials.get to the digest of the withdrawal (approval-rules.ts), as JSON text. */
    assertion: text("assertion").notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.withdrawalId, t.userId] })],
);

/** The purpose of a transaction of the signer. cancel: it uses the outpoints or nonces of a payout that must not be sent any more. */
export const OUTGOING_KINDS = ["payout", "cancel", "sweep", "cold", "consolidation", "deploy"] as const;

/**
 * Transactions that the signer has signed, so that other tools can broadcast them again, and what each cost. The signer itself believes its
 * journal alone. The worker settles each when the chain has decided.
 */
export const outgoingTransactions = pgTable(
  "outgoing_transactions",
  {
    env: env(),
    network: network(),
    /** Canonical. */
    hash: text("hash").notNull(),
    kind: text("kind").$type<(typeof OUTGOING_KINDS)[number]>().notNull().default("payout"),
    /** The signed bytes, as hex. */
    raw: text("raw").notNull(),
    /** Outpoints or nonces that only one transaction of a chain can use, as in TransactionPayments. */
    spends: text("spends").array().notNull().default(sql`'{}'`),
    /** Amounts that it moves between addresses of the operator. Amounts in ledger units, as text; addresses canonical. */
    moves: jsonb("moves")
      .$type<
        readonly {
          readonly token: TokenCode;
          readonly amount: string;
          readonly from: string;
          readonly to: string;
        }[]
      >()
      .notNull()
      .default([]),
    /** The block that contained it last. Null if no block was seen. */
    block: text("block"),
    /** The height of that block. Null if it was in no block when it was last asked about. */
    blockHeight: bigint("block_height", { mode: "number" }),
    /** When it is asked about next, of those that wait for long. Null if that is at once. */
    nextAt: timestampMs("next_at"),
    /** Since when nothing can change any more. */
    settledAt: timestampMs("settled_at"),
    /** final: it is in a final block, also when it failed there. replaced, expired: no block can contain it any more. */
    outcome: text("outcome").$type<"final" | "replaced" | "expired">(),
    /** The network fee in ledger units of the network's coin. Below 0 where more rent came back on Solana. Null if the transaction is not final. */
    fee: units("fee"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.env, t.network, t.hash] }),
    index("outgoing_unsettled").on(t.env, t.network, t.createdAt, t.hash).where(sql`settled_at is null`),
    index("outgoing_moves").on(t.env, t.createdAt, t.hash).where(sql`kind <> 'payout'`),
    index("outgoing_costs").on(t.env, t.settledAt).where(sql`outcome = 'final'`),
    index("outgoing_spends").using("gin", t.spends).where(sql`outcome = 'final'`),
    check("outgoing_kind", sql.raw(`kind in (${OUTGOING_KINDS.map((kind) => `'${kind}'`).join(", ")})`)),
    check("outgoing_outcome", sql`outcome in ('final', 'replaced', 'expired')`),
    check(
      "outgoing_settled",
      sql`(settled_at is null) = (outcome is null) and (fee is null) = (outcome is distinct from 'final')`,
    ),
  ],
);

/** Signatures of approvers of the signer's policy, which the signer checks itself. */
export const payoutSignatures = pgTable(
  "payout_signatures",
  {
    withdrawalId: bigint("withdrawal_id", { mode: "number" })
      .notNull()
      .references(() => withdrawals.id),
    /** The approver's name in the policy file. */
    approver: text("approver").notNull(),
    /** Ed25519 over the payout's text, 64 bytes of hex. */
    signature: text("signature").notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.withdrawalId, t.approver] })],
);

/**
 * A settlement with another amount than was asked for: proposed by one person and approved by another, each with a key of their own. A
 * withdrawal has one at most. A new proposal replaces one that was not approved.
 */
export const withdrawalSettlements = pgTable("withdrawal_settlements", {
  withdrawalId: bigint("withdrawal_id", { mode: "number" })
    .primaryKey()
    .references(() => withdrawals.id),
  /** Canonical. */
  txHash: text("tx_hash").notNull(),
  /** Ledger units: what was asked for, and what was paid. */
  asked: units("asked").notNull(),
  paid: units("paid").notNull(),
  /** The side that bears what was paid more: the operator (costs), or the merchant. */
  excess: text("excess").$type<"costs" | "merchant">().notNull(),
  reason: text("reason").notNull(),
  /** Names of SETTLEMENT_APPROVERS, and their Ed25519 signatures over the settlement's text, 64 bytes of hex. */
  proposedBy: text("proposed_by").notNull(),
  proposal: text("proposal").notNull(),
  approvedBy: text("approved_by"),
  approval: text("approval"),
  createdAt: createdAt(),
  approvedAt: timestampMs("approved_at"),
});

/** The demands of a merchant on its withdrawals. A merchant without a row demands nothing. */
export const withdrawalPolicies = pgTable("withdrawal_policies", {
  merchantId: bigint("merchant_id", { mode: "number" })
    .primaryKey()
    .references(() => merchants.id),
  /** A second person approves each. */
  secondPerson: boolean("second_person").notNull().default(false),
  /** Only addresses of its book receive, refunds excepted. */
  addressBook: boolean("address_book").notNull().default(false),
  updatedAt: updatedAt(),
});

/** The limits that a merchant sets on its withdrawals of a token. In ledger units; null: no limit. */
export const withdrawalLimits = pgTable(
  "withdrawal_limits",
  {
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    env: env(),
    token: token(),
    perTransfer: units("per_transfer"),
    /** Within 24 hours. */
    perDay: units("per_day"),
    updatedAt: updatedAt(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.env, t.token] })],
);

/** Addresses that a merchant withdraws to. */
export const withdrawalAddresses = pgTable(
  "withdrawal_addresses",
  {
    id: id(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    env: env(),
    network: network(),
    /** Canonical. */
    address: text("address").notNull(),
    /** The owner of the address, in the merchant's words. */
    name: text("name").notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("withdrawal_addresses_address").on(t.merchantId, t.env, t.network, t.address)],
);

/**
 * Why the signer does not pay a pending withdrawal, as it said last. It writes this for people to read. Nothing decides by it about money.
 */
export const withdrawalHolds = pgTable(
  "withdrawal_holds",
  {
    withdrawalId: bigint("withdrawal_id", { mode: "number" })
      .primaryKey()
      .references(() => withdrawals.id),
    reason: text("reason").notNull(),
    /** When it began to wait for this reason. */
    since: timestampMs("since").notNull(),
  },
  (t) => [index("withdrawal_holds_reason").on(t.reason, t.withdrawalId)],
);

/** The accounts that the signer pays from, as it said last, for people to read. Anyone who writes to the database can change them. */
export const signerAccounts = pgTable(
  "signer_accounts",
  {
    env: env(),
    network: network(),
    /** As people see it. Empty where the signer cannot pay, although its policy names the network. */
    address: text("address").notNull(),
    /** The program's version. */
    version: text("version").notNull(),
    startedAt: timestampMs("started_at").notNull(),
    /** When its last step on this network ended well. Written about twice a minute. */
    steppedAt: timestampMs("stepped_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.env, t.network] })],
);

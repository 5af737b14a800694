import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { env, network, token } from "#lib/domain/columns.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { bytes, createdAt, id, timestampMs, units, updatedAt } from "#lib/platform/db/columns.ts";

/** Refunds whose address the payer enters. Every change of a row is made under the lock of its payment link. */
export const refundClaims = pgTable(
  "refund_claims",
  {
    id: id(),
    env: env(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    paymentLinkId: bigint("payment_link_id", { mode: "number" })
      .notNull()
      .references(() => paymentLinks.id),
    network: network(),
    token: token(),
    /** Ledger units. The payer receives all of it. */
    amount: units("amount").notNull(),
    /** The message of the merchant to the payer. Null if the merchant wrote nothing. */
    note: text("note"),
    /** Why staff refund, which the withdrawal takes over: for the merchant's people alone. Null if they wrote nothing. */
    reason: text("reason"),
    /** SHA-256 of the secret in the page's address. */
    secretHash: bytes("secret_hash").notNull().unique(),
    /** The secret, encrypted with SECRET_KEY: for the mail, and for a repeated request. Null once the claim is used or revoked. */
    sealedSecret: bytes("sealed_secret"),
    /** The key of the request that created it. Null if the request had no key. */
    idempotencyKey: text("idempotency_key"),
    /** A mail brings the address to the customer. */
    mailed: boolean("mailed").notNull().default(false),
    /** The actor that created it, as the audit log names it. This actor also counts as the asker of the withdrawal. */
    requestedBy: text("requested_by").notNull(),
    expiresAt: timestampMs("expires_at").notNull(),
    revokedAt: timestampMs("revoked_at"),
    /** The withdrawal that it became. Null if no address was entered yet. */
    withdrawalId: bigint("withdrawal_id", { mode: "number" })
      .unique()
      .references(() => withdrawals.id),
    /** Why the payer's last address became no withdrawal, for the merchant. Null if nothing was refused. */
    problem: text("problem"),
    problemAt: timestampMs("problem_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index("refund_claims_payment_link").on(t.paymentLinkId, t.id),
    uniqueIndex("refund_claims_key").on(t.merchantId, t.env, t.idempotencyKey),
    check("refund_claims_amount", sql`amount > 0`),
    check("refund_claims_reason", sql`char_length(reason) between 1 and 200`),
    check("refund_claims_end", sql`withdrawal_id is null or revoked_at is null`),
  ],
);

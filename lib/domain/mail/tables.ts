import { sql } from "drizzle-orm";
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { env } from "#lib/domain/columns.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { createdAt, id, timestampMs, updatedAt } from "#lib/platform/db/columns.ts";
import type { MailData, MailKind, SwitchedKind } from "./types.ts";

const merchantId = () =>
  bigint("merchant_id", { mode: "number" })
    .notNull()
    .references(() => merchants.id);

/** The mails to send and those that were sent. Without SMTP_URL nothing is written here. */
export const mails = pgTable(
  "mails",
  {
    id: id(),
    merchantId: merchantId(),
    env: env(),
    kind: text("kind").$type<MailKind>().notNull(),
    recipient: text("recipient").notNull(),
    /** The data of the mail. Its text is composed when it is sent. */
    data: jsonb("data").$type<MailData>().notNull(),
    /** Left side of the Message-ID, and the secret of the address that unsubscribes. */
    token: uuid("token").notNull().unique().default(sql`gen_random_uuid()`),
    /** Right side of the Message-ID, set by the first attempt. A change of MAIL_FROM leaves it. */
    senderDomain: text("sender_domain"),
    /** due, taken by the mail server, or finally failed. */
    status: text("status").$type<"due" | "sent" | "failed">().notNull().default("due"),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: timestampMs("next_attempt_at"),
    /** Until then only one worker may send it. After that, the worker is considered dead. */
    claimedUntil: timestampMs("claimed_until"),
    /** The server's last reply code; null: no reply. */
    lastStatus: integer("last_status"),
    lastError: text("last_error"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index("mails_due").on(t.nextAttemptAt, t.id).where(sql`status = 'due'`),
    index("mails_failed").on(t.id).where(sql`status = 'failed'`),
    // For the mails of an address within an hour.
    index("mails_recipient").on(sql`lower(${t.recipient})`, t.kind, t.createdAt),
    index("mails_merchant").on(t.merchantId, t.id),
    // For the mails that are deleted.
    index("mails_age").on(t.createdAt),
  ],
);

/** The mails that a merchant receives and its payers receive. Without a row: the defaults of the environment. */
export const mailSettings = pgTable(
  "mail_settings",
  {
    merchantId: merchantId(),
    env: env(),
    kinds: text("kinds").array().$type<SwitchedKind[]>().notNull(),
    /** The address of the notices. Null: the merchant's own. */
    recipient: text("recipient"),
    /** The day (UTC) up to which digests were made, or on which they were switched on. */
    digestedUntil: timestampMs("digested_until"),
    updatedAt: updatedAt(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.env] })],
);

/** Payers who want no more receipts of a merchant. */
export const mailStops = pgTable(
  "mail_stops",
  {
    merchantId: merchantId(),
    env: env(),
    /** In lower case. */
    address: text("address").notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.env, t.address] })],
);

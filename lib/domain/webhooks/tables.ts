import { type SQL, sql } from "drizzle-orm";
import { type AnyPgColumn, bigint, boolean, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { env } from "#lib/domain/columns.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { bytes, createdAt, id, timestampMs, updatedAt } from "#lib/platform/db/columns.ts";
import { REFID_PATTERN } from "./rules.ts";
import type { WebhookFormat } from "./types.ts";

export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: id(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    env: env(),
    /** The address that receives events. Null: the secret exists, but there is no URL yet. */
    url: text("url"),
    /** Decides the events, their signature and their retries (formats.ts). */
    format: text("format").$type<WebhookFormat>().notNull().default("standard"),
    /** The text of the secret, sealed with SECRET_KEY (lib/platform/secrets.ts). */
    secret: bytes("secret").notNull(),
    /** The types of events to send. Null: every type of the format. */
    eventTypes: text("event_types").array(),
    /** False: a failed delivery is not tried again by itself. */
    automaticRedelivery: boolean("automatic_redelivery").notNull().default(true),
    /** The encrypted secret before the last rotation. It also signs until previous_secret_until. */
    previousSecret: bytes("previous_secret"),
    previousSecretUntil: timestampMs("previous_secret_until"),
    /** First failure since the last success; null: none. */
    failingSince: timestampMs("failing_since"),
    disabledAt: timestampMs("disabled_at"),
    /** Removed endpoints receive and show nothing. They are kept for their deliveries. */
    removedAt: timestampMs("removed_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index("webhook_endpoints_merchant").on(t.merchantId, t.env)],
);

/** The refid of the link or withdrawal in a body; null without one. An index has the same expression. */
export const refidIn = (body: AnyPgColumn | SQL) =>
  sql<string | null>`substring(${body} from ${sql.raw(`'${REFID_PATTERN}'`)})`;

/** The link whose deliveries wait for each other; null in a format without an order. */
export const orderIn = (format: AnyPgColumn | SQL, body: AnyPgColumn | SQL) =>
  sql<string | null>`case when ${format} = 'btcpay' then ${refidIn(body)} end`;

export const webhookEvents = pgTable(
  "webhook_events",
  {
    /** The number in webhook_ids. The webhook-id header is "evt_" and this number. */
    id: id(),
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    env: env(),
    /** Only endpoints of this format receive it. */
    format: text("format").$type<WebhookFormat>().notNull().default("standard"),
    type: text("type").notNull(),
    /** The text from which the format composes what is sent and signed. `standard` sends it as it is. */
    body: text("body").notNull(),
    /** Transaction hashes of the event. Endpoint 25 searches them. */
    txHashes: text("tx_hashes").array().notNull().default(sql`'{}'`),
    createdAt: createdAt(),
  },
  (t) => [
    index("webhook_events_refid").on(refidIn(t.body), t.id),
    index("webhook_events_hashes").using("gin", t.txHashes),
    index("webhook_events_merchant").on(t.merchantId, t.env, t.id),
    index("webhook_events_time").on(t.merchantId, t.env, t.createdAt),
    // For the events that are deleted.
    index("webhook_events_age").on(t.createdAt),
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
    /** Deliveries of one endpoint with the same link here are sent one after another. null: at any time. */
    orderedBy: text("ordered_by"),
    /** The first delivery of the event to the endpoint, if this one sends it again. */
    originalId: bigint("original_id", { mode: "number" }),
    /** due, delivered, or finally failed. */
    status: text("status").$type<"due" | "delivered" | "failed">().notNull().default("due"),
    attempts: integer("attempts").notNull().default(0),
    /** When the next attempt is due. A sweep finds it even if a notification is lost. */
    nextAttemptAt: timestampMs("next_attempt_at"),
    /** Until then only one worker may send it. After that, the worker is considered dead. */
    claimedUntil: timestampMs("claimed_until"),
    lastStatus: integer("last_status"),
    lastError: text("last_error"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index("webhook_deliveries_lane").on(t.endpointId, t.nextAttemptAt, t.id).where(sql`status = 'due'`),
    index("webhook_deliveries_order")
      .on(t.endpointId, t.orderedBy, t.id)
      .where(sql`status = 'due' and ordered_by is not null`),
    index("webhook_deliveries_event").on(t.eventId),
    index("webhook_deliveries_endpoint").on(t.endpointId, t.id),
    index("webhook_deliveries_undelivered").on(t.endpointId, t.id).where(sql`status <> 'delivered'`),
  ],
);

/** Every attempt, for as long as the log is kept. An attempt that was killed is not in it. */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    id: id(),
    deliveryId: bigint("delivery_id", { mode: "number" })
      .notNull()
      .references(() => webhookDeliveries.id),
    /** From 1. */
    attempt: integer("attempt").notNull(),
    /** URL of the attempt. The endpoint may have another URL now. */
    url: text("url").notNull(),
    /** Its whole seconds are the webhook-timestamp. */
    startedAt: timestampMs("started_at").notNull(),
    durationMs: integer("duration_ms").notNull(),
    /** HTTP status; null: no answer. */
    status: integer("status"),
    error: text("error"),
    /** The first 2 KiB of the answer's body; null: no answer. */
    answer: bytes("answer"),
  },
  (t) => [index("webhook_attempts_delivery").on(t.deliveryId, t.id)],
);

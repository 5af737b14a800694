import { sql } from "drizzle-orm";
import { bigint, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { env } from "#lib/domain/columns.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { bytes, createdAt, id, timestampMs, updatedAt } from "#lib/platform/db/columns.ts";

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
    /** "whsec_…" sealed with SECRET_KEY (lib/platform/secrets.ts). */
    secret: bytes("secret").notNull(),
    /** null: every event type. */
    eventTypes: text("event_types").array(),
    /** The secret before the last rotation, sealed too: signs beside the new one until then. */
    previousSecret: bytes("previous_secret"),
    previousSecretUntil: timestampMs("previous_secret_until"),
    /** First failure since the last success; null: none. */
    failingSince: timestampMs("failing_since"),
    disabledAt: timestampMs("disabled_at"),
    /** Sent nothing and shown nowhere, kept for its deliveries. */
    removedAt: timestampMs("removed_at"),
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
    nextAttemptAt: timestampMs("next_attempt_at"),
    /** Until then one worker is sending it and no other may; past it, that worker is taken for dead. */
    claimedUntil: timestampMs("claimed_until"),
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

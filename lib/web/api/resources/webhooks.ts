import { z } from "@hono/zod-openapi";
import { countDeliveries, listLoggedDeliveries } from "#lib/domain/webhooks/list-deliveries.ts";
import { retriggerEvents } from "#lib/domain/webhooks/retrigger-events.ts";
import { DELIVERY_STATUSES, type LoggedDelivery } from "#lib/domain/webhooks/types.ts";
import { inTransaction } from "#lib/platform/db/connection.ts";
import { creatingEndpoint, queryingListEndpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { apiReason, isStorableText, withMissingReason } from "../field-reader.ts";
import { cutPage } from "../paging.ts";

const transactionHash = withMissingReason(
  z
    .string(apiReason("not_a_string"))
    .refine(isStorableText, apiReason("unsupported_character"))
    .max(255, apiReason("field_too_long"))
    .openapi({
      description:
        "The hash that the events speak of. Upper and lower case, with `0x` and without, are the same.",
      example: "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060",
    }),
  "transaction_hash_missing",
);

/** Endpoint 25. */
const retrigger = creatingEndpoint(
  {
    method: "post",
    path: "/webhooks/retrigger",
    operationId: "retriggerWebhooks",
    tag: "Webhooks",
    summary: "Send the stored events of a transaction again",
    description:
      "Every event that speaks of the transaction, the newest 500 at most, goes again to the endpoints that want it, " +
      "under its former `webhook-id`, with a fresh timestamp and signature.",
    scopes: [],
    body: () => z.object({ transaction_hash: transactionHash }),
    data: z
      .object({
        retriggered_count: z.number().int().openapi({ description: "How many events are on their way." }),
        webhook_ids: z
          .array(z.number().int())
          .openapi({ description: "Their integers: `evt_` and one of them is its `webhook-id`." }),
        transaction_hash: z.string().openapi({ description: "As it was sent." }),
      })
      .openapi("RetriggeredEvents"),
    errors: ["not_a_string", "unsupported_character", "field_too_long", "webhook_events_not_found"],
  },
  async ({ caller, input, now, db }) => {
    const owner = { merchantId: caller.merchant.id, env: caller.env };
    const sent = await inTransaction(db, (tx) => retriggerEvents(tx, owner, input.transaction_hash, now));
    if (!sent.ok) return failure(sent.reason);
    const { eventIds } = sent;
    return success(`${eventIds.length} webhook events retriggered successfully`, {
      retriggered_count: eventIds.length,
      webhook_ids: eventIds,
      transaction_hash: input.transaction_hash,
    });
  },
);

const attemptData = z
  .object({
    attempt: z
      .number()
      .int()
      .openapi({ description: "From 1. One that a killed worker began is not in the log." }),
    url: z.string(),
    sent_at: z
      .string()
      .openapi({ format: "date-time", description: "Its whole seconds were the `webhook-timestamp`." }),
    duration_ms: z.number().int(),
    status: z.number().int().nullable().openapi({ description: "HTTP status; null: no answer." }),
    error: z.string().nullable(),
    answer: z
      .string()
      .nullable()
      .openapi({ description: "The first 2 KiB of the answer, read as UTF-8; null without `webhook_id`." }),
  })
  .openapi("WebhookAttempt");

const deliveryData = z
  .object({
    id: z.number().int(),
    webhook_id: z.number().int().openapi({ description: "`evt_` and it is the `webhook-id`." }),
    type: z.string(),
    endpoint_id: z.number().int(),
    url: z.string().nullable().openapi({ description: "Where the endpoint's events go today." }),
    status: z
      .enum(DELIVERY_STATUSES)
      .openapi({ description: "`due`: sent now, or waiting for its next attempt." }),
    attempts: z.number().int(),
    next_attempt_at: z.string().nullable().openapi({ format: "date-time" }),
    last_status: z.number().int().nullable(),
    last_error: z.string().nullable(),
    body: z
      .string()
      .nullable()
      .openapi({ description: "What is sent, the exact text; null without `webhook_id`." }),
    log: z.array(attemptData).openapi({ description: "Oldest first, kept for 30 days." }),
    created_at: z.string().openapi({ format: "date-time" }),
    updated_at: z.string().openapi({ format: "date-time" }),
  })
  .openapi("WebhookDelivery");

/** Beside the document: docs/decisions.md, Webhooks. */
const deliveries = queryingListEndpoint(
  {
    method: "get",
    path: "/webhooks/deliveries",
    operationId: "listWebhookDeliveries",
    tag: "Webhooks",
    summary: "List what was sent, and what each attempt met, newest first",
    description:
      "One record for each event and endpoint, and a further one when an event is sent again. With `webhook_id`, the " +
      "text that was sent and the answers stand in it too.",
    scopes: ["read"],
    query: z.object({
      status: z
        .enum(DELIVERY_STATUSES, apiReason("delivery_status_unknown"))
        .optional()
        .openapi({ description: "Only deliveries that stand so." }),
      webhook_id: z
        .string()
        .regex(/^(evt_)?[1-9][0-9]{0,14}$/, apiReason("webhook_id_malformed"))
        .optional()
        .openapi({ description: "Only this event's: `evt_12`, or `12`.", example: "evt_12" }),
    }),
    data: z.array(deliveryData),
    errors: ["delivery_status_unknown", "webhook_id_malformed"],
  },
  async ({ api, caller, input, page }) => {
    const owner = { merchantId: caller.merchant.id, env: caller.env };
    const { db } = api.database;
    const eventId = input.webhook_id === undefined ? null : Number(input.webhook_id.replace("evt_", ""));
    const filter = { status: input.status ?? null, eventId, before: page.before };
    const found = await listLoggedDeliveries(db, owner, { ...filter, limit: page.limit + 1 });
    const total = page.counted ? await countDeliveries(db, owner, filter) : null;
    const { rows, meta } = cutPage(found, page, total);
    return success("webhook deliveries retrieved successfully", rows.map(deliveryToJson), meta);
  },
);

function deliveryToJson(delivery: LoggedDelivery) {
  return {
    id: delivery.id,
    webhook_id: delivery.eventId,
    type: delivery.type,
    endpoint_id: delivery.endpointId,
    url: delivery.url,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    body: delivery.body,
    log: delivery.log.map((one) => ({
      attempt: one.attempt,
      url: one.url,
      sent_at: one.startedAt,
      duration_ms: one.durationMs,
      status: one.status,
      error: one.error,
      answer: one.answer?.toString("utf8") ?? null,
    })),
    created_at: delivery.createdAt,
    updated_at: delivery.updatedAt,
  };
}

export const webhookEndpoints = [retrigger, deliveries];

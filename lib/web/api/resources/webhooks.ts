import { z } from "@hono/zod-openapi";
import { countDeliveries, listLoggedDeliveries } from "#lib/domain/webhooks/queries.ts";
import { retriggerEvents } from "#lib/domain/webhooks/retrigger-events.ts";
import { DELIVERY_STATUSES, type LoggedDelivery } from "#lib/domain/webhooks/types.ts";
import { endpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { apiReason, isStorableText, withMissingReason } from "../field-reader.ts";
import { timestamp } from "../fields/common.ts";
import { limitHeavyRows, paged } from "../paging.ts";
import { authorityOf, perform } from "../perform.ts";

const transactionHashField = withMissingReason(
  z
    .string(apiReason("not_a_string"))
    .refine(isStorableText, apiReason("unsupported_character"))
    .max(255, apiReason("field_too_long"))
    .openapi({
      description:
        "Hash of the transaction of the events. Upper and lower case, with `0x` and without, are the same.",
      example: "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060",
    }),
  "transaction_hash_missing",
);

/** Endpoint 25. */
export const retriggerWebhooksEndpoint = endpoint(
  {
    method: "post",
    path: "/webhooks/retrigger",
    operationId: "retriggerWebhooks",
    tag: "Webhooks",
    summary: "Send the stored events of a transaction again",
    description:
      "Sends every event of the transaction, at most the newest 500, again to the endpoints that subscribe to it. The " +
      "`webhook-id` stays the same; timestamp and signature are new. Plugins of shops get nothing again.",
    ...authorityOf("webhook.retrigger"),
    body: () => z.object({ transaction_hash: transactionHashField }),
    idempotent: true,
    message: "1 webhook events retriggered successfully",
    data: z
      .object({
        retriggered_count: z.number().int().openapi({ description: "Number of events that are sent again." }),
        webhook_ids: z
          .array(z.number().int())
          .openapi({ description: "Numbers of the events: `webhook-id` is `evt_` and the number." }),
        transaction_hash: z.string().openapi({ description: "As submitted." }),
      })
      .openapi("RetriggeredEvents"),
    errors: ["not_a_string", "unsupported_character", "field_too_long", "webhook_events_not_found"],
  },
  async ({ input, ...call }) => {
    const result = await perform(retriggerEvents, call, { txHash: input.transaction_hash }, {});
    if (!result.ok) return result;
    const { eventIds } = result;
    const data = {
      retriggered_count: eventIds.length,
      webhook_ids: eventIds,
      transaction_hash: input.transaction_hash,
    };
    const message = `${eventIds.length} webhook events retriggered successfully`;
    return { ...success(data), message };
  },
);

const attemptData = z
  .object({
    attempt: z
      .number()
      .int()
      .openapi({ description: "Starts at 1. An attempt of a killed worker is not in the log." }),
    url: z.string(),
    sent_at: timestamp.openapi({ description: "The `webhook-timestamp` is this time in whole seconds." }),
    duration_ms: z.number().int(),
    status: z.number().int().nullable().openapi({ description: "HTTP status; null: no response." }),
    error: z.string().nullable(),
    answer: z
      .string()
      .nullable()
      .openapi({ description: "The first 2 KiB of the response, read as UTF-8; null without `webhook_id`." }),
  })
  .openapi("WebhookAttempt");

const deliveryData = z
  .object({
    id: z.number().int(),
    webhook_id: z.number().int().openapi({ description: "The `webhook-id` is `evt_` and this number." }),
    type: z.string(),
    endpoint_id: z.number().int(),
    url: z.string().nullable().openapi({ description: "Current URL of the endpoint." }),
    status: z
      .enum(DELIVERY_STATUSES)
      .openapi({ description: "`due`: being sent, or waiting for the next attempt." }),
    attempts: z.number().int(),
    next_attempt_at: timestamp.nullable(),
    last_status: z.number().int().nullable(),
    last_error: z.string().nullable(),
    body: z
      .string()
      .nullable()
      .openapi({ description: "The exact text that is sent; null without `webhook_id`." }),
    log: z.array(attemptData).openapi({ description: "Oldest first, kept for 30 days." }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .openapi("WebhookDelivery");

/** Not in the interface document: docs/decisions.md, Webhooks. */
export const listWebhookDeliveriesEndpoint = endpoint(
  {
    method: "get",
    path: "/webhooks/deliveries",
    operationId: "listWebhookDeliveries",
    tag: "Webhooks",
    summary: "List webhook deliveries and their attempts, newest first",
    description:
      "One record per event and endpoint, and another one each time an event is sent again. With `webhook_id`, a record " +
      "also has the sent text and the responses, and a page has at most 100. Deliveries to plugins of shops are not listed.",
    auth: ["read", "webhooks"],
    action: "developers.view",
    query: z.object({
      status: z
        .enum(DELIVERY_STATUSES, apiReason("delivery_status_unknown"))
        .optional()
        .openapi({ description: "Only deliveries with this status." }),
      webhook_id: z
        .string()
        .regex(/^(evt_)?[1-9][0-9]{0,14}$/, apiReason("webhook_id_malformed"))
        .optional()
        .openapi({ description: "Only deliveries of this event: `evt_12` or `12`.", example: "evt_12" }),
    }),
    paged: "id",
    message: "webhook deliveries retrieved successfully",
    data: z.array(deliveryData),
    errors: ["delivery_status_unknown", "webhook_id_malformed"],
  },
  async ({ api, caller, input, page }) => {
    const owner = { merchantId: caller.merchant.id, env: caller.env };
    const { db } = api.database;
    const eventId = input.webhook_id === undefined ? null : Number(input.webhook_id.replace("evt_", ""));
    const of = { format: "standard", before: page.before } as const;
    const filter = { ...of, status: input.status ?? null, eventId };
    const { data, meta } = await paged(eventId === null ? page : limitHeavyRows(page), {
      list: (range) => listLoggedDeliveries(db, owner, { ...filter, ...range }),
      count: () => countDeliveries(db, owner, filter),
      toJson: deliveryToJson,
    });
    return success(data, meta);
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
    log: delivery.log.map((attempt) => ({
      attempt: attempt.attempt,
      url: attempt.url,
      sent_at: attempt.startedAt,
      duration_ms: attempt.durationMs,
      status: attempt.status,
      error: attempt.error,
      answer: attempt.answer?.toString("utf8") ?? null,
    })),
    created_at: delivery.createdAt,
    updated_at: delivery.updatedAt,
  };
}

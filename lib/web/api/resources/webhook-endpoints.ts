import { z } from "@hono/zod-openapi";
import {
  addEndpoint,
  removeEndpoint,
  rotateEndpointSecret,
  updateEndpoint,
} from "#lib/domain/webhooks/change-endpoints.ts";
import { EVENT_TYPES, type EventType } from "#lib/domain/webhooks/events.ts";
import { findEndpoint, listEndpoints } from "#lib/domain/webhooks/queries.ts";
import { openEndpointToTest, sendTestRequest } from "#lib/domain/webhooks/test-endpoint.ts";
import type { WebhookEndpoint } from "#lib/domain/webhooks/types.ts";
import { openGuardedAgent } from "#lib/platform/http/guarded-agent.ts";
import { endpoint, type MerchantCall } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { apiReason, customField, parseFieldJson } from "../field-reader.ts";
import { flag, flagField, noData, readRowId, timestamp } from "../fields/common.ts";
import { authorityOf, perform } from "../perform.ts";

const tag = "Webhook endpoints";

const endpointShape = {
  id: z.number().int(),
  url: z.string().nullable().openapi({ description: "null: it has a secret, but no URL yet." }),
  events: z
    .array(z.enum(EVENT_TYPES))
    .nullable()
    .openapi({ description: "The event types that it accepts. null: every type.", example: null }),
  enabled: flag("0: off, by you or because it failed for days."),
  failing_since: timestamp.nullable().openapi({ description: "First failure since the last success." }),
  created_at: timestamp,
};
const endpointData = z.object(endpointShape).openapi("WebhookEndpoint");
const secretData = z
  .object({
    ...endpointShape,
    webhook_secret: z.string().openapi({ description: "Shown here only.", example: "whsec_c2VjcmV0" }),
  })
  .openapi("WebhookEndpointWithSecret");

const urlField = z
  .string(apiReason("invalid_webhookUrl"))
  .openapi({ format: "uri", example: "https://shop.example.com/webhooks/paylink" });

/** A list of event types. Empty: every type. */
const eventsField = customField<EventType[] | null>((value) => {
  const list = parseFieldJson(value);
  const isKnown = (one: unknown): one is EventType => (EVENT_TYPES as readonly unknown[]).includes(one);
  if (!Array.isArray(list) || !list.every(isKnown)) return { ok: false, reason: "event_type_unknown" };
  return { ok: true, value: list.length === 0 ? null : [...new Set(list)] };
}).openapi({
  type: "array",
  items: { type: "string", enum: EVENT_TYPES },
  description: "The event types to accept. Absent or empty: every type.",
  example: ["payment_link_completed"],
});

function endpointToJson(one: WebhookEndpoint) {
  return {
    id: one.id,
    url: one.url,
    events: one.eventTypes as EventType[] | null,
    enabled: one.disabledAt === null ? 1 : 0,
    failing_since: one.failingSince,
    created_at: one.createdAt,
  };
}

/** The number in the path, or 0 if it is no endpoint of this interface. Those of shops are changed by their plugins and in the console. */
async function findStandardId(
  { api, caller }: Pick<MerchantCall<string>, "api" | "caller">,
  text: string,
): Promise<number> {
  const owner = { merchantId: caller.merchant.id, env: caller.env };
  const found = await findEndpoint(api.database.db, owner, readRowId(text));
  return found?.format === "standard" ? found.id : 0;
}

export const listWebhookEndpointsEndpoint = endpoint(
  {
    method: "get",
    path: "/webhook-endpoints",
    operationId: "listWebhookEndpoints",
    tag,
    summary: "List webhook endpoints, oldest first",
    description: "Without their secrets. At most 16, with those of shops, which are not listed here.",
    auth: ["webhooks", "read"],
    action: "developers.view",
    message: "webhook endpoints retrieved successfully",
    data: z.array(endpointData),
    errors: [],
  },
  async ({ api, caller }) => {
    const owner = { merchantId: caller.merchant.id, env: caller.env };
    const endpoints = await listEndpoints(api.database.db, owner);
    return success(endpoints.filter(({ format }) => format === "standard").map(endpointToJson));
  },
);

export const createWebhookEndpointEndpoint = endpoint(
  {
    method: "post",
    path: "/webhook-endpoints",
    operationId: "createWebhookEndpoint",
    tag,
    summary: "Add a webhook endpoint",
    description:
      "Its secret is shown once. A repeated request adds another endpoint: an answer with a secret is not kept.",
    ...authorityOf("webhook.endpoint.add"),
    body: () => z.object({ url: urlField, events: eventsField.optional() }),
    message: "webhook endpoint created successfully",
    data: secretData,
    errors: ["invalid_webhookUrl", "event_type_unknown", "too_many_endpoints"],
  },
  async ({ input, ...call }) => {
    const given = { sealer: call.api.secrets, url: input.url, eventTypes: input.events ?? null };
    const added = await perform(addEndpoint, call, given, {});
    if (!added.ok) return added;
    return success({ ...endpointToJson(added.endpoint), webhook_secret: added.secret });
  },
);

export const updateWebhookEndpointEndpoint = endpoint(
  {
    method: "patch",
    path: "/webhook-endpoints/:id",
    operationId: "updateWebhookEndpoint",
    tag,
    summary: "Change a webhook endpoint",
    description: "Changes the given fields. `enabled` 1 also ends a pause after failures.",
    ...authorityOf("webhook.endpoint.update"),
    notFound: "endpoint_not_found",
    body: () =>
      z.object({
        url: urlField.optional(),
        events: eventsField.optional(),
        enabled: flagField("0: off. Its deliveries wait.").optional(),
      }),
    message: "webhook endpoint updated successfully",
    data: endpointData,
    errors: [
      "invalid_webhookUrl",
      "event_type_unknown",
      "not_a_flag",
      "endpoint_not_found",
      "nothing_to_change",
    ],
  },
  async ({ path, input, ...call }) => {
    const { url, events, enabled } = input;
    if (url === undefined && events === undefined && enabled === undefined)
      return failure("nothing_to_change");
    const update = {
      id: await findStandardId(call, path.id),
      ...(url !== undefined && { url }),
      ...(events !== undefined && { eventTypes: events }),
      ...(enabled !== undefined && { enabled }),
    };
    const updated = await perform(updateEndpoint, call, update, {});
    return updated.ok ? success(endpointToJson(updated.endpoint)) : updated;
  },
);

export const removeWebhookEndpointEndpoint = endpoint(
  {
    method: "delete",
    path: "/webhook-endpoints/:id",
    operationId: "removeWebhookEndpoint",
    tag,
    summary: "Remove a webhook endpoint",
    description: "What is not delivered yet fails.",
    ...authorityOf("webhook.endpoint.remove"),
    notFound: "endpoint_not_found",
    message: "webhook endpoint removed successfully",
    data: noData,
    errors: ["endpoint_not_found"],
  },
  async ({ path, ...call }) => {
    const removed = await perform(removeEndpoint, call, { id: await findStandardId(call, path.id) }, {});
    return removed.ok ? success(null) : removed;
  },
);

export const rotateWebhookSecretEndpoint = endpoint(
  {
    method: "post",
    path: "/webhook-endpoints/:id/rotate-secret",
    operationId: "rotateWebhookSecret",
    tag,
    summary: "Give a webhook endpoint a new secret",
    description: "The new secret is shown once. For 24 hours requests are signed with both.",
    ...authorityOf("webhook.endpoint.rotate"),
    notFound: "endpoint_not_found",
    message: "webhook secret rotated successfully",
    data: secretData,
    errors: ["endpoint_not_found"],
  },
  async ({ path, ...call }) => {
    const change = { id: await findStandardId(call, path.id), sealer: call.api.secrets };
    const rotated = await perform(rotateEndpointSecret, call, change, {});
    if (!rotated.ok) return rotated;
    return success({ ...endpointToJson(rotated.endpoint), webhook_secret: rotated.secret });
  },
);

export const testWebhookEndpointEndpoint = endpoint(
  {
    method: "post",
    path: "/webhook-endpoints/:id/test",
    operationId: "testWebhookEndpoint",
    tag,
    summary: "Send a signed test request to a webhook endpoint",
    description: "Of the type `webhook_test`. Waits at most 15 seconds for the answer.",
    ...authorityOf("webhook.test"),
    notFound: "endpoint_not_found",
    message: "test request sent successfully",
    data: z
      .object({
        accepted: flag("1: the endpoint answered with a status from 200 to 299."),
        http_status: z.number().int().nullable().openapi({ description: "null: no answer.", example: 200 }),
        duration_ms: z.number().int().openapi({ example: 120 }),
      })
      .openapi("WebhookTest"),
    errors: ["endpoint_not_found", "endpoint_without_url", "secret_unreadable"],
  },
  async ({ path, ...call }) => {
    const { api, now } = call;
    const asked = { id: await findStandardId(call, path.id), secrets: api.secrets };
    const opened = await perform(openEndpointToTest, call, asked, {});
    if (!opened.ok) return opened;
    const agent = openGuardedAgent({ allow: api.webhookAllowCidrs });
    const { outcome, durationMs } = await sendTestRequest(agent, opened.endpoint, now).finally(() =>
      agent.close(),
    );
    const status = outcome.kind === "answered" ? outcome.status : null;
    const accepted = status !== null && status >= 200 && status < 300 ? 1 : 0;
    return success({ accepted, http_status: status, duration_ms: durationMs });
  },
);

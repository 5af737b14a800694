import { boundOrigin, isWithin, readOwnSecret } from "#lib/domain/webhooks/bound-rules.ts";
import { addEndpoint, removeEndpoint, updateEndpoint } from "#lib/domain/webhooks/change-endpoints.ts";
import { type AttemptedDelivery, listAttemptedDeliveries } from "#lib/domain/webhooks/delivery-queries.ts";
import { findEndpoint, listEndpoints } from "#lib/domain/webhooks/queries.ts";
import { redeliverDelivery } from "#lib/domain/webhooks/retrigger-events.ts";
import type { WebhookEndpoint } from "#lib/domain/webhooks/types.ts";
import { JsonText } from "#lib/platform/json-text.ts";
import { keyActorOf } from "#lib/web/api/perform.ts";
import { type Answer, answer, EMPTY, invalid, NO_WEBHOOK, problem, toSeconds } from "../answers.ts";
import { perform } from "../perform.ts";
import { readWebhook } from "../read-webhook.ts";
import { type GreenfieldCall, type GreenfieldRoute, storeRoute } from "../route.ts";

const CHANGE = "btcpay.store.webhooks.canmodifywebhooks";
/** Deliveries of one answer. */
const MOST_DELIVERIES = 100;
const NO_DELIVERY = problem(404, "webhookdelivery-not-found", "The delivery of the webhook was not found.");
const SECRET_MALFORMED = invalid({ path: "secret", message: "A secret has 1 to 256 printable characters." });

const ownerOf = ({ caller }: GreenfieldCall) => ({ merchantId: caller.merchant.id, env: caller.env });

/** The webhooks that a key may see: those in the format of shops, and of a key with an origin those there. */
function isVisible({ caller, clientAddress }: GreenfieldCall, endpoint: WebhookEndpoint): boolean {
  return endpoint.format === "btcpay" && isWithin(boundOrigin(keyActorOf(caller, clientAddress)), endpoint);
}

/** The webhook that the path names. null: the key sees none there. */
async function findWebhook(call: GreenfieldCall): Promise<WebhookEndpoint | null> {
  const id = readId(call.path("webhookId"));
  const found = id === null ? null : await findEndpoint(call.api.database.db, ownerOf(call), id);
  return found !== null && isVisible(call, found) ? found : null;
}

const readId = (text: string): number | null => (/^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : null);

/** The id of a delivery. An event has it with the number of the attempt behind it. */
const readDeliveryId = (text: string): number | null => readId(text.replace(/-[0-9]{1,3}$/, ""));

function webhookOf({ id, url, eventTypes, disabledAt, automaticRedelivery }: WebhookEndpoint) {
  return {
    id: String(id),
    enabled: disabledAt === null,
    automaticRedelivery,
    url: url ?? "",
    authorizedEvents: { everything: eventTypes === null, specificEvents: eventTypes ?? [] },
  };
}

function deliveryOf({ id, status, lastStatus, lastError, updatedAt }: AttemptedDelivery) {
  const isDelivered = status === "delivered";
  return {
    id: String(id),
    timestamp: toSeconds(updatedAt),
    httpCode: lastStatus,
    errorMessage: isDelivered ? null : lastError,
    status: isDelivered ? "HttpSuccess" : lastStatus === null ? "Failed" : "HttpError",
  };
}

/** The refusal of a URL: the key is for another origin, or nothing may be sent there. */
function refuseUrl({ caller }: GreenfieldCall): Answer {
  const message =
    caller.origin === null
      ? "The URL is not an http or https URL that the internet can reach."
      : `The key is for webhooks at ${caller.origin} alone.`;
  return invalid({ path: "url", message });
}

async function createWebhook(call: GreenfieldCall): Promise<Answer> {
  const { secret, ...given } = readWebhook(call.fields);
  const own = secret === null ? null : readOwnSecret(secret);
  if (secret !== null && own === null) return SECRET_MALFORMED;
  const input = { ...given, format: "btcpay", secret: own, sealer: call.api.secrets } as const;
  const added = await perform(addEndpoint, call, input);
  if (added.ok) return answer({ ...webhookOf(added.endpoint), secret: added.secret });
  if (added.reason === undefined) return added.answer;
  return added.reason === "too_many_endpoints"
    ? problem(400, "too-many-webhooks", "The store has as many webhooks as it may have. Remove one first.")
    : refuseUrl(call);
}

async function updateWebhook(call: GreenfieldCall): Promise<Answer> {
  const found = await findWebhook(call);
  if (found === null) return NO_WEBHOOK;
  const { secret, ...given } = readWebhook(call.fields);
  const own = secret === null ? null : readOwnSecret(secret);
  if (secret !== null && own === null) return SECRET_MALFORMED;
  const replaced = own && { sealer: call.api.secrets, own };
  const updated = await perform(updateEndpoint, call, { id: found.id, ...given, secret: replaced });
  if (updated.ok) return answer(webhookOf(updated.endpoint));
  if (updated.reason === undefined) return updated.answer;
  return updated.reason === "endpoint_not_found" ? NO_WEBHOOK : refuseUrl(call);
}

async function removeWebhook(call: GreenfieldCall): Promise<Answer> {
  const found = await findWebhook(call);
  if (found === null) return NO_WEBHOOK;
  const removed = await perform(removeEndpoint, call, { id: found.id });
  if (removed.ok) return EMPTY;
  return removed.reason === undefined ? removed.answer : NO_WEBHOOK;
}

/** The attempted deliveries of the webhook that the path names: all, or the one that the path names. */
async function listDeliveries(call: GreenfieldCall): Promise<AttemptedDelivery[] | null> {
  const found = await findWebhook(call);
  if (found === null) return null;
  const named = call.path("deliveryId");
  const deliveryId = named === "" ? undefined : (readDeliveryId(named) ?? 0);
  const limit = Math.min(readId(call.query.get("count") ?? "") ?? MOST_DELIVERIES, MOST_DELIVERIES);
  const asked = { endpointId: found.id, limit, ...(deliveryId !== undefined && { deliveryId }) };
  return listAttemptedDeliveries(call.api.database.db, ownerOf(call), asked);
}

async function redeliver(call: GreenfieldCall): Promise<Answer> {
  const found = await findWebhook(call);
  if (found === null) return NO_WEBHOOK;
  const deliveryId = readDeliveryId(call.path("deliveryId"));
  if (deliveryId === null) return NO_DELIVERY;
  const sent = await perform(redeliverDelivery, call, { endpointId: found.id, deliveryId });
  if (sent.ok) return answer(String(sent.delivery.id));
  return sent.reason === undefined ? sent.answer : NO_DELIVERY;
}

const ONE = "/webhooks/:webhookId";
const DELIVERY = `${ONE}/deliveries/:deliveryId`;

export const WEBHOOK_ROUTES: readonly GreenfieldRoute[] = [
  storeRoute("get", "/webhooks", CHANGE, async (call) => {
    const endpoints = await listEndpoints(call.api.database.db, ownerOf(call));
    return answer(endpoints.filter((one) => isVisible(call, one)).map(webhookOf));
  }),
  storeRoute("post", "/webhooks", CHANGE, createWebhook),
  storeRoute("get", ONE, CHANGE, async (call) => {
    const found = await findWebhook(call);
    return found === null ? NO_WEBHOOK : answer(webhookOf(found));
  }),
  storeRoute("put", ONE, CHANGE, updateWebhook),
  storeRoute("delete", ONE, CHANGE, removeWebhook),
  storeRoute("get", `${ONE}/deliveries`, CHANGE, async (call) => {
    const deliveries = await listDeliveries(call);
    return deliveries === null ? NO_WEBHOOK : answer(deliveries.map(deliveryOf));
  }),
  storeRoute("get", DELIVERY, CHANGE, async (call) => {
    const [delivery] = (await listDeliveries(call)) ?? [];
    return delivery === undefined ? NO_DELIVERY : answer(deliveryOf(delivery));
  }),
  storeRoute("get", `${DELIVERY}/request`, CHANGE, async (call) => {
    const [delivery] = (await listDeliveries(call)) ?? [];
    return delivery === undefined ? NO_DELIVERY : answer(new JsonText(delivery.body));
  }),
  storeRoute("post", `${DELIVERY}/redeliver`, CHANGE, redeliver),
];

import type { AuditEntry } from "#lib/domain/audit/record-decision.ts";
import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import { findUrlProblem } from "#lib/platform/http/outward-url.ts";
import {
  countEndpoints,
  type EndpointChanges,
  insertEndpoint,
  lockEndpoint,
  updateEndpointRow,
  updateEndpointSecret,
  updateEventTypes,
} from "./endpoint-store.ts";
import type { EventType } from "./events.ts";
import type { WebhookEndpoint } from "./types.ts";
import { generateWebhookSecret } from "./webhook-endpoints.ts";

/**
 * Maximum number of endpoints of one merchant in one environment. Each event is sent to every subscribed
 * endpoint.
 */
const MOST_ENDPOINTS = 16;
const LONGEST_URL = 2_000;
const DAY_MS = 24 * 3_600_000;

/** Encrypts a secret for storage. */
type Sealer = { seal(text: string): Buffer };

/** Adds an endpoint with its own secret, which is returned only here. `eventTypes` null: all types. */
export const addEndpoint = defineVerb(
  "webhook.endpoint.add",
  async (
    { tx, merchantId, env },
    {
      sealer,
      url,
      eventTypes,
    }: { readonly sealer: Sealer; readonly url: string; readonly eventTypes: readonly EventType[] | null },
  ) => {
    if (!isUsable(url)) return refuse("invalid_webhookUrl");
    const owner = { merchantId, env };
    await lockMerchant(tx, merchantId);
    if ((await countEndpoints(tx, owner)) >= MOST_ENDPOINTS) return refuse("too_many_endpoints");
    const secret = generateWebhookSecret();
    const endpoint = await insertEndpoint(tx, owner, { url, eventTypes, sealedSecret: sealer.seal(secret) });
    return done({ endpoint, secret }, entryOf(endpoint, { env, url, types: formatTypes(eventTypes) }));
  },
);

/** Updates an endpoint. A new URL, like enabling it, clears the failing state. Absent fields do not change. */
export const updateEndpoint = defineVerb(
  "webhook.endpoint.update",
  async (
    { tx, now, merchantId, env },
    {
      id,
      url,
      eventTypes,
      enabled,
    }: {
      readonly id: number;
      /** The address that receives events. Null: there is none, so no event is sent. */
      readonly url?: string | null;
      /** The types of events to send. Null: every type. */
      readonly eventTypes?: EventType[] | null;
      readonly enabled?: boolean;
    },
  ) => {
    const own = { merchantId, env, id };
    const before = await lockEndpoint(tx, own);
    if (before === null) return refuse("endpoint_not_found");
    if (url != null && !isUsable(url)) return refuse("invalid_webhookUrl");
    const fresh = enabled === true || (url !== undefined && url !== before.url && enabled === undefined);
    const changes: EndpointChanges = {
      ...(url === undefined ? {} : { url }),
      ...(eventTypes === undefined ? {} : { eventTypes }),
      ...(fresh ? { disabledAt: null, failingSince: null } : {}),
      ...(enabled === false ? { disabledAt: now } : {}),
    };
    const endpoint = await updateEndpointRow(tx, own, changes, now);
    if (endpoint === null) return refuse("endpoint_not_found");
    const types = formatTypes(endpoint.eventTypes);
    const after = { url: endpoint.url, types, enabled: endpoint.disabledAt === null };
    return done({ endpoint }, entryOf(endpoint, { before: before.url, ...after }));
  },
);

/** Removes an endpoint. Its due deliveries fail. */
export const removeEndpoint = defineVerb(
  "webhook.endpoint.remove",
  async ({ tx, now, merchantId, env }, { id }: { readonly id: number }) => {
    const endpoint = await updateEndpointRow(tx, { merchantId, env, id }, { removedAt: now }, now);
    if (endpoint === null) return refuse("endpoint_not_found");
    return done({ endpoint }, entryOf(endpoint, { url: endpoint.url }));
  },
);

/**
 * Gives an endpoint a new secret, returned only here. For `overlapMs`, a day if nothing is said, requests are signed with the old one too.
 */
export const rotateEndpointSecret = defineVerb(
  "webhook.endpoint.rotate",
  async (
    { tx, now, merchantId, env },
    {
      id,
      sealer,
      overlapMs = DAY_MS,
    }: { readonly id: number; readonly sealer: Sealer; readonly overlapMs?: number },
  ) => {
    const secret = generateWebhookSecret();
    const until = new Date(now.getTime() + overlapMs);
    const change = { sealedSecret: sealer.seal(secret), until };
    const endpoint = await updateEndpointSecret(tx, { merchantId, env, id }, change, now);
    if (endpoint === null) return refuse("endpoint_not_found");
    return done({ endpoint, secret }, entryOf(endpoint, { old_until: until.toISOString() }));
  },
);

/** Sets the event types of all endpoints of the merchant in the environment; null: all types. */
export const setEventTypes = defineVerb(
  "webhook.events",
  async ({ tx, merchantId, env }, { eventTypes }: { readonly eventTypes: readonly EventType[] | null }) => {
    const changed = await updateEventTypes(tx, { merchantId, env }, eventTypes);
    if (changed === 0) return refuse("no_endpoint");
    const details = { env, types: formatTypes(eventTypes) };
    return done({}, { subject: `merchant:${merchantId}`, details });
  },
);

/** The audit entry of an endpoint. It never contains the secret. */
function entryOf({ id }: WebhookEndpoint, details: AuditEntry["details"]) {
  return { subject: `webhook_endpoint:${id}`, details };
}

const formatTypes = (eventTypes: readonly string[] | null) => eventTypes?.join() ?? "all";

function isUsable(url: string): boolean {
  // URL parsers drop control characters, which PostgreSQL does not store.
  return url.length <= LONGEST_URL && !/\p{Cc}/u.test(url) && findUrlProblem(url) === null;
}

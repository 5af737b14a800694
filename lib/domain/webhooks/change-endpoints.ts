import type { AuditEntry } from "#lib/domain/audit/record-decision.ts";
import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import { findUrlProblem } from "#lib/platform/http/outward-url.ts";
import { boundOrigin, isWithin, mayReach, type OwnSecret } from "./bound-rules.ts";
import { retryWaitingDeliveries } from "./delivery-store.ts";
import {
  type EndpointChanges,
  insertEndpoint,
  lockEndpoint,
  replaceEndpointSecret,
  updateEndpointRow,
  updateEndpointSecret,
  updateEventTypes,
} from "./endpoint-store.ts";
import type { EventType } from "./events.ts";
import { getFormat } from "./formats.ts";
import { listEndpoints } from "./queries.ts";
import type { WebhookEndpoint, WebhookFormat } from "./types.ts";

/**
 * Maximum number of endpoints of one merchant in one environment. Each event is sent to every subscribed
 * endpoint.
 */
const MOST_ENDPOINTS = 16;
/** Maximum number of endpoints at the origin of a key: a shop's key cannot take the places of the others. */
const MOST_AT_ORIGIN = 8;
const LONGEST_URL = 2_000;
const DAY_MS = 24 * 3_600_000;

/** Encrypts a secret for storage. */
type Sealer = { seal(text: string): Buffer };

/** An endpoint to add. */
interface NewEndpoint {
  readonly sealer: Sealer;
  readonly url: string;
  /** The types of events to send. Null: every type of the format. */
  readonly eventTypes: readonly string[] | null;
  /** Absent: standard. */
  readonly format?: WebhookFormat;
  /** The secret that a shop chose. Absent or null: a new one. */
  readonly secret?: OwnSecret | null;
  /** Absent: it receives events at once. */
  readonly enabled?: boolean;
  /** Absent: failed deliveries are tried again. */
  readonly automaticRedelivery?: boolean;
}

/** Adds an endpoint with its own secret, which is returned only here. A key with an origin adds them there alone. */
export const addEndpoint = defineVerb(
  "webhook.endpoint.add",
  async ({ tx, now, actor, merchantId, env }, given: NewEndpoint) => {
    const {
      sealer,
      url,
      eventTypes,
      format = "standard",
      enabled = true,
      automaticRedelivery = true,
    } = given;
    if (!isUsable(url)) return refuse("invalid_webhookUrl");
    const bound = boundOrigin(actor);
    if (!mayReach(bound, { url, format })) return refuse("invalid_webhookUrl");
    const secret = given.secret?.text ?? getFormat(format).generateSecret();
    const owner = { merchantId, env };
    await lockMerchant(tx, merchantId);
    const places = await listEndpoints(tx, owner);
    const own = bound === null ? [] : places.filter((place) => isWithin(bound, place));
    if (places.length >= MOST_ENDPOINTS || own.length >= MOST_AT_ORIGIN) return refuse("too_many_endpoints");
    const disabledAt = enabled ? null : now;
    const row = {
      url,
      format,
      eventTypes,
      automaticRedelivery,
      disabledAt,
      sealedSecret: sealer.seal(secret),
    };
    const endpoint = await insertEndpoint(tx, owner, row);
    const details = { env, url, format, types: formatTypes(eventTypes) };
    return done({ endpoint, secret }, entryOf(endpoint, details));
  },
);

/** Changes of an endpoint. Absent fields do not change. */
interface EndpointUpdate {
  readonly id: number;
  /** The address that receives events. Null: the endpoint has no address, so no event is sent. */
  readonly url?: string | null;
  /** The types of events to send. Null: every type of the format. */
  readonly eventTypes?: string[] | null;
  readonly enabled?: boolean;
  readonly automaticRedelivery?: boolean;
  /** The secret that a shop chose, which signs from now on. Absent or null: it stays. */
  readonly secret?: { readonly sealer: Sealer; readonly own: OwnSecret } | null;
}

/**
 * Updates an endpoint. A new URL, like enabling it, clears the failing state, and what waits there is sent now. A key with an
 * origin updates its own alone.
 */
export const updateEndpoint = defineVerb(
  "webhook.endpoint.update",
  async ({ tx, now, actor, merchantId, env }, update: EndpointUpdate) => {
    const { id, url, eventTypes, enabled, automaticRedelivery, secret } = update;
    const own = { merchantId, env, id };
    const before = await lockEndpoint(tx, own);
    const bound = boundOrigin(actor);
    if (before === null || !isWithin(bound, before)) return refuse("endpoint_not_found");
    if (url != null && !isUsable(url)) return refuse("invalid_webhookUrl");
    if (url !== undefined && !mayReach(bound, { url, format: before.format }))
      return refuse("invalid_webhookUrl");
    if (secret != null) {
      await replaceEndpointSecret(tx, id, secret.sealer.seal(secret.own.text));
    }
    const fresh = enabled === true || (url !== undefined && url !== before.url && enabled === undefined);
    const changes: EndpointChanges = {
      ...(url === undefined ? {} : { url }),
      ...(eventTypes === undefined ? {} : { eventTypes }),
      ...(automaticRedelivery === undefined ? {} : { automaticRedelivery }),
      ...(fresh ? { disabledAt: null, failingSince: null } : {}),
      ...(enabled === false ? { disabledAt: now } : {}),
    };
    const endpoint = await updateEndpointRow(tx, own, changes, now);
    if (endpoint === null) return refuse("endpoint_not_found");
    // Saved without a change, everything that waits would be sent once more. Without a URL, a due delivery fails.
    const isCorrected = fresh && (before.disabledAt !== null || endpoint.url !== before.url);
    if (isCorrected && endpoint.url !== null) await retryWaitingDeliveries(tx, id, now);
    const types = formatTypes(endpoint.eventTypes);
    const after = { url: endpoint.url, types, enabled: endpoint.disabledAt === null };
    const details = { before: before.url, ...after, ...(secret != null && { secret: "replaced" }) };
    return done({ endpoint }, entryOf(endpoint, details));
  },
);

/** Removes an endpoint. Its due deliveries fail. A key with an origin removes its own alone. */
export const removeEndpoint = defineVerb(
  "webhook.endpoint.remove",
  async ({ tx, now, actor, merchantId, env }, { id }: { readonly id: number }) => {
    const before = await lockEndpoint(tx, { merchantId, env, id });
    if (before === null || !isWithin(boundOrigin(actor), before)) return refuse("endpoint_not_found");
    const endpoint = await updateEndpointRow(tx, { merchantId, env, id }, { removedAt: now }, now);
    if (endpoint === null) return refuse("endpoint_not_found");
    return done({ endpoint }, entryOf(endpoint, { url: endpoint.url }));
  },
);

/**
 * Gives an endpoint a new secret, returned only here. For `overlapMs`, a day if nothing is said, requests are signed with the old one too:
 * not in the format `btcpay`, whose requests have one signature.
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
    const before = await lockEndpoint(tx, { merchantId, env, id });
    if (before === null) return refuse("endpoint_not_found");
    const secret = getFormat(before.format).generateSecret();
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

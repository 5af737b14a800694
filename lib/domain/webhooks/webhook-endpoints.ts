import { randomBytes } from "node:crypto";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { findUrlProblem } from "#lib/platform/http/outward-url.ts";
import {
  countEndpoints,
  type EndpointChanges,
  insertEndpoint,
  updateEndpointRow,
  updateEndpointSecret,
  updateEventTypes,
  updateFirstEndpointUrl,
} from "./endpoint-store.ts";
import type { EventType } from "./events.ts";
import type { WebhookEndpoint, WebhookOwner } from "./types.ts";

/**
 * Maximum number of endpoints of one merchant in one environment. Each event is sent to every subscribed
 * endpoint.
 */
const MOST_ENDPOINTS = 16;
const LONGEST_URL = 2_000;

type Changed<Reason extends string> = { ok: true; endpoint: WebhookEndpoint } | { ok: false; reason: Reason };

/** A new signing secret: "whsec_" and base64 of 32 random bytes. */
export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/**
 * Creates an endpoint for every event type. `sealedSecret` is the encrypted "whsec_…" text; `url` may be set
 * later.
 */
export function createEndpoint(
  tx: Tx,
  endpoint: WebhookOwner & { url: string | null; sealedSecret: Buffer },
): Promise<{ id: number }> {
  return insertEndpoint(tx, endpoint, { ...endpoint, eventTypes: null });
}

/** Adds an endpoint with its own secret. `eventTypes` null: all types. */
export async function addEndpoint(
  tx: Tx,
  owner: WebhookOwner,
  endpoint: { url: string; sealedSecret: Buffer; eventTypes: readonly EventType[] | null },
): Promise<Changed<"invalid_webhookUrl" | "too_many_endpoints">> {
  if (!isUsable(endpoint.url)) return { ok: false, reason: "invalid_webhookUrl" };
  await lockMerchant(tx, owner.merchantId);
  if ((await countEndpoints(tx, owner)) >= MOST_ENDPOINTS) return { ok: false, reason: "too_many_endpoints" };
  return { ok: true, endpoint: await insertEndpoint(tx, owner, endpoint) };
}

export interface EndpointUpdate {
  readonly url?: string;
  /** null: every event type. */
  readonly eventTypes?: EventType[] | null;
  readonly enabled?: boolean;
}

/**
 * Updates an endpoint. A new URL, like enabling it, clears the failing state. Absent fields do not change.
 */
export async function updateEndpoint(
  tx: Tx,
  id: number,
  { url, eventTypes, enabled }: EndpointUpdate,
  now: Date,
): Promise<Changed<"invalid_webhookUrl" | "endpoint_not_found">> {
  if (url !== undefined && !isUsable(url)) return { ok: false, reason: "invalid_webhookUrl" };
  const fresh = enabled === true || (url !== undefined && enabled === undefined);
  const changes: EndpointChanges = {
    ...(url === undefined ? {} : { url }),
    ...(eventTypes === undefined ? {} : { eventTypes }),
    ...(fresh ? { disabledAt: null, failingSince: null } : {}),
    ...(enabled === false ? { disabledAt: now } : {}),
  };
  return found(await updateEndpointRow(tx, id, changes, now));
}

/** Removes an endpoint. Its due deliveries fail. */
export async function removeEndpoint(tx: Tx, id: number, now: Date): Promise<Changed<"endpoint_not_found">> {
  return found(await updateEndpointRow(tx, id, { removedAt: now }, now));
}

/** Signs with a new secret from now on, and until `oldUntil` also with the old one. */
export async function rotateEndpointSecret(
  tx: Tx,
  id: number,
  secret: { sealedSecret: Buffer; oldUntil: Date },
  now: Date,
): Promise<Changed<"endpoint_not_found">> {
  return found(
    await updateEndpointSecret(tx, id, { sealedSecret: secret.sealedSecret, until: secret.oldUntil }, now),
  );
}

/** Sets the URL of an owner's first endpoint and enables it; null: no URL. */
export async function setEndpointUrl(
  tx: Tx,
  endpoint: WebhookOwner & { url: string | null },
): Promise<{ ok: true } | { ok: false; reason: "no_endpoint" }> {
  return (await updateFirstEndpointUrl(tx, endpoint, endpoint.url))
    ? { ok: true }
    : { ok: false, reason: "no_endpoint" };
}

/** Sets the event types of the merchant's endpoints in one environment; null: all types. */
export async function setEndpointEventTypes(
  tx: Tx,
  owner: WebhookOwner,
  eventTypes: readonly EventType[] | null,
): Promise<{ ok: true } | { ok: false; reason: "no_endpoint" }> {
  const changed = await updateEventTypes(tx, owner, eventTypes);
  return changed > 0 ? { ok: true } : { ok: false, reason: "no_endpoint" };
}

function found(endpoint: WebhookEndpoint | null): Changed<"endpoint_not_found"> {
  return endpoint === null ? { ok: false, reason: "endpoint_not_found" } : { ok: true, endpoint };
}

function isUsable(url: string): boolean {
  // URL parsers drop control characters, which PostgreSQL does not store.
  return url.length <= LONGEST_URL && !/\p{Cc}/u.test(url) && findUrlProblem(url) === null;
}

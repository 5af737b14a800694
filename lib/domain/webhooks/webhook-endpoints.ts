import { randomBytes } from "node:crypto";
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

/** Endpoints of one merchant in one environment. Each is sent every event that it wants. */
const MOST_ENDPOINTS = 16;
const LONGEST_URL = 2_000;

type Changed<Reason extends string> = { ok: true; endpoint: WebhookEndpoint } | { ok: false; reason: Reason };

/** A fresh signing secret, "whsec_" and base64 of 32 random bytes. */
export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** An endpoint that wants every event type. `sealedSecret` is the whole "whsec_…" text sealed; `url` may come later. */
export function createEndpoint(
  tx: Tx,
  endpoint: WebhookOwner & { url: string | null; sealedSecret: Buffer },
): Promise<{ id: number }> {
  return insertEndpoint(tx, endpoint, { ...endpoint, eventTypes: null });
}

/** A further endpoint, with a secret of its own. `eventTypes` null: all of them. */
export async function addEndpoint(
  tx: Tx,
  owner: WebhookOwner,
  endpoint: { url: string; sealedSecret: Buffer; eventTypes: readonly EventType[] | null },
): Promise<Changed<"invalid_webhookUrl" | "too_many_endpoints">> {
  if (!isUsable(endpoint.url)) return { ok: false, reason: "invalid_webhookUrl" };
  if ((await countEndpoints(tx, owner)) >= MOST_ENDPOINTS) return { ok: false, reason: "too_many_endpoints" };
  return { ok: true, endpoint: await insertEndpoint(tx, owner, endpoint) };
}

export interface EndpointUpdate {
  readonly url?: string;
  /** null: every event type. */
  readonly eventTypes?: EventType[] | null;
  readonly enabled?: boolean;
}

/** A new address, like enabling it, ends what a failing endpoint is known for. What is absent stays. */
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

/** Nothing is sent there any more, what is due included. */
export async function removeEndpoint(tx: Tx, id: number, now: Date): Promise<Changed<"endpoint_not_found">> {
  return found(await updateEndpointRow(tx, id, { removedAt: now }, now));
}

/** Signs with a new secret from now on, and until `oldUntil` with the one of before as well. */
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

/**
 * Sends the events of an owner's first endpoint to `url` from now on, also after it had been disabled. null: nowhere.
 */
export async function setEndpointUrl(
  tx: Tx,
  endpoint: WebhookOwner & { url: string | null },
): Promise<{ ok: true } | { ok: false; reason: "no_endpoint" }> {
  return (await updateFirstEndpointUrl(tx, endpoint, endpoint.url))
    ? { ok: true }
    : { ok: false, reason: "no_endpoint" };
}

/** Has the merchant's endpoints of one environment sent these event types only; null: all of them. */
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
  return url.length <= LONGEST_URL && findUrlProblem(url) === null;
}

import { type AuditEntry, recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import type { EventType } from "./events.ts";
import { isEventOf, listEndpoints } from "./queries.ts";
import { redeliverEvent } from "./retrigger-events.ts";
import { type EndpointToTestResult, openEndpointToTest } from "./test-endpoint.ts";
import type { WebhookEndpoint, WebhookOwner } from "./types.ts";
import {
  addEndpoint,
  type EndpointUpdate,
  generateWebhookSecret,
  removeEndpoint,
  rotateEndpointSecret,
  updateEndpoint,
} from "./webhook-endpoints.ts";

/** Who acts for an owner, as the audit log names them: "user:3", "key:12". */
export interface ForOwner extends WebhookOwner {
  readonly actor: string;
}

/** Until then the secret before a rotation also signs. */
const OVERLAP_MS = 24 * 3_600_000;

type EndpointRefusal = "invalid_webhookUrl" | "too_many_endpoints" | "endpoint_not_found";
type Changed<Done = unknown> =
  | ({ readonly ok: true; readonly endpoint: WebhookEndpoint } & Done)
  | { readonly ok: false; readonly reason: EndpointRefusal };
type Sealer = { seal(text: string): Buffer };

/** Adds an endpoint of the owner. Its secret is returned only here. */
export async function addOwnEndpoint(
  tx: Tx,
  sealer: Sealer,
  { actor, merchantId, env }: ForOwner,
  given: { readonly url: string; readonly eventTypes: readonly EventType[] | null; readonly now: Date },
): Promise<Changed<{ readonly secret: string }>> {
  const { url, eventTypes, now } = given;
  const secret = generateWebhookSecret();
  const added = await addEndpoint(
    tx,
    { merchantId, env },
    { url, eventTypes, sealedSecret: sealer.seal(secret) },
  );
  if (!added.ok) return added;
  const details = { env, url, types: eventTypes?.join() ?? "all" };
  await recordDecision(tx, entryOf({ actor, merchantId }, "add", added.endpoint, details), now);
  return { ...added, secret };
}

/** Changes an endpoint of the owner. Another owner's is not found. */
export async function updateOwnEndpoint(
  tx: Tx,
  by: ForOwner,
  { id, ...update }: EndpointUpdate & { readonly id: number },
  now: Date,
): Promise<Changed> {
  const before = await findOwnEndpoint(tx, by, id);
  const updated = before && (await updateEndpoint(tx, id, update, now));
  if (updated === null) return { ok: false, reason: "endpoint_not_found" };
  if (!updated.ok) return updated;
  const { url, eventTypes, disabledAt } = updated.endpoint;
  const details = {
    before: before?.url ?? null,
    url,
    types: eventTypes?.join() ?? "all",
    enabled: disabledAt === null,
  };
  await recordDecision(tx, entryOf(by, "update", updated.endpoint, details), now);
  return updated;
}

/** Removes an endpoint of the owner. Its due deliveries fail. */
export async function removeOwnEndpoint(tx: Tx, by: ForOwner, id: number, now: Date): Promise<Changed> {
  const isOwn = (await findOwnEndpoint(tx, by, id)) !== null;
  const removed = isOwn ? await removeEndpoint(tx, id, now) : null;
  if (removed === null || !removed.ok) return { ok: false, reason: "endpoint_not_found" };
  await recordDecision(tx, entryOf(by, "remove", removed.endpoint, { url: removed.endpoint.url }), now);
  return removed;
}

/** Gives an endpoint of the owner a new secret, returned only here. The one before also signs for 24 hours. */
export async function rotateOwnEndpoint(
  tx: Tx,
  sealer: Sealer,
  by: ForOwner,
  { id, now }: { readonly id: number; readonly now: Date },
): Promise<Changed<{ readonly secret: string }>> {
  const isOwn = (await findOwnEndpoint(tx, by, id)) !== null;
  const secret = generateWebhookSecret();
  const change = { sealedSecret: sealer.seal(secret), oldUntil: new Date(now.getTime() + OVERLAP_MS) };
  const rotated = isOwn ? await rotateEndpointSecret(tx, id, change, now) : null;
  if (rotated === null || !rotated.ok) return { ok: false, reason: "endpoint_not_found" };
  const details = { old_until: change.oldUntil.toISOString() };
  await recordDecision(tx, entryOf(by, "rotate", rotated.endpoint, details), now);
  return { ...rotated, secret };
}

/** Opens an endpoint of the owner for a test request, which is recorded before it is sent. */
export async function openOwnEndpointToTest(
  tx: Tx,
  secrets: { open(sealed: Buffer): string },
  by: ForOwner,
  { id, now }: { readonly id: number; readonly now: Date },
): Promise<EndpointToTestResult> {
  const own = await findOwnEndpoint(tx, by, id);
  if (own === null) return { ok: false, reason: "endpoint_not_found" };
  const opened = await openEndpointToTest(tx, secrets, id);
  if (opened.ok) {
    const entry = { action: "webhook.test", subject: `webhook_endpoint:${id}`, details: { url: own.url } };
    await recordDecision(tx, { actor: by.actor, merchantId: by.merchantId, ...entry }, now);
  }
  return opened;
}

async function findOwnEndpoint(tx: Tx, owner: WebhookOwner, id: number): Promise<WebhookEndpoint | null> {
  return (await listEndpoints(tx, owner)).find((endpoint) => endpoint.id === id) ?? null;
}

/** The audit entry of an endpoint. It never contains the secret. */
function entryOf(
  { actor, merchantId }: Pick<ForOwner, "actor" | "merchantId">,
  act: "add" | "update" | "remove" | "rotate",
  { id }: WebhookEndpoint,
  details: AuditEntry["details"],
): AuditEntry {
  return { actor, action: `webhook.endpoint.${act}`, subject: `webhook_endpoint:${id}`, merchantId, details };
}

/** Sends an event of the owner again to every endpoint that accepts it. */
export async function redeliverOwnEvent(
  tx: Tx,
  by: ForOwner,
  eventId: number,
  now: Date,
): ReturnType<typeof redeliverEvent> {
  if (!(await isEventOf(tx, by, eventId))) return { ok: false, reason: "webhook_event_not_found" };
  const sent = await redeliverEvent(tx, eventId, now);
  const entry = { action: "webhook.redeliver", subject: `event:${eventId}`, details: { env: by.env } };
  if (sent.ok) await recordDecision(tx, { actor: by.actor, merchantId: by.merchantId, ...entry }, now);
  return sent;
}

import { and, eq, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { webhookEndpoints } from "./tables.ts";
import type { WebhookEndpoint, WebhookFormat, WebhookOwner } from "./types.ts";

export const ENDPOINT_COLUMNS = {
  id: webhookEndpoints.id,
  merchantId: webhookEndpoints.merchantId,
  env: webhookEndpoints.env,
  url: webhookEndpoints.url,
  format: webhookEndpoints.format,
  eventTypes: webhookEndpoints.eventTypes,
  automaticRedelivery: webhookEndpoints.automaticRedelivery,
  previousSecretUntil: webhookEndpoints.previousSecretUntil,
  failingSince: webhookEndpoints.failingSince,
  disabledAt: webhookEndpoints.disabledAt,
  createdAt: webhookEndpoints.createdAt,
} as const;

/** Endpoints of the owner that are not removed. */
export function belongsTo(owner: WebhookOwner): SQL | undefined {
  return and(
    eq(webhookEndpoints.merchantId, owner.merchantId),
    eq(webhookEndpoints.env, owner.env),
    isNull(webhookEndpoints.removedAt),
  );
}

const isStandard = eq(webhookEndpoints.format, "standard");

/** An endpoint to insert. `disabledAt`: it is made, and receives nothing yet. */
interface NewEndpoint {
  readonly url: string | null;
  readonly format: WebhookFormat;
  readonly sealedSecret: Buffer;
  readonly eventTypes: readonly string[] | null;
  readonly automaticRedelivery: boolean;
  readonly disabledAt?: Date | null;
}

export async function insertEndpoint(
  tx: Tx,
  owner: WebhookOwner,
  endpoint: NewEndpoint,
): Promise<WebhookEndpoint> {
  const { merchantId, env } = owner;
  const { sealedSecret: secret, eventTypes, url, format, automaticRedelivery, disabledAt = null } = endpoint;
  const own = { url, format, automaticRedelivery, disabledAt };
  const [row] = await tx
    .insert(webhookEndpoints)
    .values({ merchantId, env, ...own, secret, eventTypes: eventTypes && [...eventTypes] })
    .returning(ENDPOINT_COLUMNS);
  if (row === undefined) throw new Error("insert returned no row");
  return row;
}

/**
 * Sets the URL of the owner's first standard endpoint and enables it again, because the new URL has not failed yet.
 * Returns false if there is no endpoint.
 */
export async function updateFirstEndpointUrl(
  tx: Tx,
  owner: WebhookOwner,
  url: string | null,
): Promise<boolean> {
  const first = tx
    .select({ id: sql`min(${webhookEndpoints.id})` })
    .from(webhookEndpoints)
    .where(and(belongsTo(owner), isStandard));
  const rows = await tx
    .update(webhookEndpoints)
    .set({ url, disabledAt: null, failingSince: null, updatedAt: sql`now()` })
    .where(sql`${webhookEndpoints.id} = ${first}`)
    .returning({ id: webhookEndpoints.id });
  return rows.length > 0;
}

/** The URL, format and sealed secret of an endpoint that is not removed, or null. */
export async function findEndpointToTest(
  db: Db | Tx,
  { id, ...owner }: OwnEndpoint,
): Promise<{ readonly url: string | null; readonly format: WebhookFormat; readonly secret: Buffer } | null> {
  const { url, format, secret } = webhookEndpoints;
  const [row] = await db
    .select({ url, format, secret })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, id), belongsTo(owner)));
  return row ?? null;
}

/** Sets the event types of the owner's standard endpoints; null: all types. Returns how many endpoints changed. */
export async function updateEventTypes(
  tx: Tx,
  owner: WebhookOwner,
  eventTypes: readonly string[] | null,
): Promise<number> {
  const rows = await tx
    .update(webhookEndpoints)
    .set({ eventTypes: eventTypes && [...eventTypes], updatedAt: sql`now()` })
    .where(and(belongsTo(owner), isStandard))
    .returning({ id: webhookEndpoints.id });
  return rows.length;
}

export interface EndpointChanges {
  readonly url?: string | null;
  readonly eventTypes?: string[] | null;
  readonly automaticRedelivery?: boolean;
  readonly disabledAt?: Date | null;
  readonly failingSince?: null;
  readonly removedAt?: Date;
}

/** An endpoint of an owner. */
type OwnEndpoint = WebhookOwner & { readonly id: number };

/** Locks an endpoint that is not removed, and returns it. Null if it was not found. Deliveries to it can still be inserted. */
export async function lockEndpoint(tx: Tx, { id, ...owner }: OwnEndpoint): Promise<WebhookEndpoint | null> {
  const [row] = await tx
    .select(ENDPOINT_COLUMNS)
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, id), belongsTo(owner)))
    .for("no key update");
  return row ?? null;
}

/** Updates an endpoint that is not removed. Returns null if there is none. */
export async function updateEndpointRow(
  tx: Tx,
  { id, ...owner }: OwnEndpoint,
  changes: EndpointChanges,
  now: Date,
): Promise<WebhookEndpoint | null> {
  const [row] = await tx
    .update(webhookEndpoints)
    .set({ ...changes, updatedAt: now })
    .where(and(eq(webhookEndpoints.id, id), belongsTo(owner)))
    .returning(ENDPOINT_COLUMNS);
  return row ?? null;
}

/**
 * Replaces the secret. The current secret also signs until `until`; an older one does not sign any more.
 * Returns null if there is no such endpoint.
 */
export async function updateEndpointSecret(
  tx: Tx,
  { id, ...owner }: OwnEndpoint,
  { sealedSecret, until }: { sealedSecret: Buffer; until: Date },
  now: Date,
): Promise<WebhookEndpoint | null> {
  const [row] = await tx
    .update(webhookEndpoints)
    .set({
      secret: sealedSecret,
      previousSecret: sql`${webhookEndpoints.secret}`,
      previousSecretUntil: until,
      updatedAt: now,
    })
    .where(and(eq(webhookEndpoints.id, id), belongsTo(owner)))
    .returning(ENDPOINT_COLUMNS);
  return row ?? null;
}

/**
 * Disables the endpoint if its URL is still `url`. With `failingUntil`, only if it has failed without a
 * break since then or longer. Returns null if the endpoint is disabled, removed, moved or no longer failing.
 */
export async function updateEndpointDisabled(
  tx: Tx,
  { endpointId, url }: { endpointId: number; url: string },
  { now, failingUntil }: { now: Date; failingUntil: Date | null },
): Promise<WebhookEndpoint | null> {
  const [row] = await tx
    .update(webhookEndpoints)
    .set({ disabledAt: now, updatedAt: now })
    .where(
      and(
        eq(webhookEndpoints.id, endpointId),
        eq(webhookEndpoints.url, url),
        isNull(webhookEndpoints.disabledAt),
        isNull(webhookEndpoints.removedAt),
        failingUntil === null ? undefined : lte(webhookEndpoints.failingSince, failingUntil),
      ),
    )
    .returning(ENDPOINT_COLUMNS);
  return row ?? null;
}

/** Replaces the secret at once. */
export async function replaceEndpointSecret(tx: Tx, id: number, sealedSecret: Buffer): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({ secret: sealedSecret, previousSecret: null, previousSecretUntil: null })
    .where(eq(webhookEndpoints.id, id));
}

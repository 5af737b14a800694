import { randomBytes } from "node:crypto";
import type { Db, Tx } from "#lib/db/connection.ts";
import type { Env } from "#lib/networks/network-data.ts";
import { findEndpoints, insertEndpoint, setEndpointUrl, setEventTypes } from "./store.ts";
import type { Endpoint, EventType } from "./types.ts";

/** A fresh signing secret, "whsec_" and base64 of 32 random bytes. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** An endpoint that wants every event type. `sealedSecret` is the whole "whsec_…" text sealed; `url` may come later. */
export function createEndpoint(
  tx: Tx,
  endpoint: { merchantId: number; env: Env; url: string | null; sealedSecret: Buffer },
): Promise<{ id: number }> {
  return insertEndpoint(tx, endpoint, endpoint.url, endpoint.sealedSecret);
}

/** Sends the merchant's events of one environment to `url` from now on, also after a 410 had disabled the endpoint. */
export async function updateEndpointUrl(
  tx: Tx,
  endpoint: { merchantId: number; env: Env; url: string | null },
): Promise<{ ok: true } | { ok: false; reason: "no_endpoint" }> {
  const changed = await setEndpointUrl(tx, endpoint, endpoint.url);
  return changed > 0 ? { ok: true } : { ok: false, reason: "no_endpoint" };
}

/** A merchant's endpoints in one environment, oldest first, without their secrets. */
export function listEndpoints(db: Db | Tx, owner: { merchantId: number; env: Env }): Promise<Endpoint[]> {
  return findEndpoints(db, owner);
}

/** Has the merchant's endpoints of one environment sent these event types only; null: all of them. */
export async function subscribe(
  tx: Tx,
  owner: { merchantId: number; env: Env },
  eventTypes: readonly EventType[] | null,
): Promise<{ ok: true } | { ok: false; reason: "no_endpoint" }> {
  const changed = await setEventTypes(tx, owner, eventTypes);
  return changed > 0 ? { ok: true } : { ok: false, reason: "no_endpoint" };
}

import type { Tx } from "#lib/platform/db/connection.ts";
import { insertEndpoint, updateFirstEndpointUrl } from "./endpoint-store.ts";
import { getFormat } from "./formats.ts";
import type { WebhookOwner } from "./types.ts";

/** A new signing secret of a standard endpoint: "whsec_" and base64 of 32 random bytes. */
export function generateWebhookSecret(): string {
  return getFormat("standard").generateSecret();
}

/**
 * Creates an endpoint for every event type. `sealedSecret` is the encrypted "whsec_…" text; `url` may be set
 * later.
 */
export function createEndpoint(
  tx: Tx,
  endpoint: WebhookOwner & { url: string | null; sealedSecret: Buffer },
): Promise<{ id: number }> {
  const everything = { format: "standard", eventTypes: null, automaticRedelivery: true } as const;
  return insertEndpoint(tx, endpoint, { ...endpoint, ...everything });
}

/** Sets the URL of an owner's first standard endpoint and enables it; null: no URL. */
export async function setEndpointUrl(
  tx: Tx,
  endpoint: WebhookOwner & { url: string | null },
): Promise<{ ok: true } | { ok: false; reason: "no_endpoint" }> {
  return (await updateFirstEndpointUrl(tx, endpoint, endpoint.url))
    ? { ok: true }
    : { ok: false, reason: "no_endpoint" };
}

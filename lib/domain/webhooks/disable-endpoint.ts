import type { Db } from "#lib/platform/db/connection.ts";
import { emitEvent } from "./emit-event.ts";
import { updateEndpointDisabled } from "./endpoint-store.ts";
import { FAILING_LIMIT_MS } from "./rules.ts";
import type { DisableReason, WebhookEndpoint } from "./types.ts";

/**
 * Sends nothing to an endpoint any more, and tells the merchant's other endpoints by an event. null when it was
 * disabled or removed before, is well again, or has another address by now than the one that was asked.
 */
export function disableFailedEndpoint(
  db: Db,
  asked: { readonly endpointId: number; readonly url: string },
  reason: DisableReason,
  now: Date,
): Promise<WebhookEndpoint | null> {
  return db.transaction(async (tx) => {
    const failingUntil = reason === "gone" ? null : new Date(now.getTime() - FAILING_LIMIT_MS);
    const endpoint = await updateEndpointDisabled(tx, asked, { now, failingUntil });
    if (endpoint === null) return null;
    const { merchantId, env } = endpoint;
    const dataJson = JSON.stringify({
      id: endpoint.id,
      url: endpoint.url,
      reason,
      failing_since: endpoint.failingSince?.toISOString() ?? null,
      disabled_at: now.toISOString(),
      environment: env,
    });
    await emitEvent(tx, { merchantId, env, type: "webhook_endpoint_disabled", dataJson, txHashes: [] }, now);
    return endpoint;
  });
}

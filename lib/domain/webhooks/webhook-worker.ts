import type { Dispatcher } from "undici";
import type { LaneLimits } from "#lib/domain/delivery/lanes.ts";
import {
  type DeliveryLoopDeps,
  type DeliveryWorker,
  startDeliveries,
} from "#lib/domain/delivery/start-deliveries.ts";
import { clockOf } from "#lib/platform/clock.ts";
import { CHANNELS } from "#lib/platform/db/listen-for-changes.ts";
import { rememberLast } from "#lib/platform/remember.ts";
import { claimDeliveries, type DeliverDeps, deliverWebhook } from "./deliver-webhook.ts";
import { listDueEndpointIds, releaseClaims } from "./delivery-store.ts";

/** Endpoints that one sweep wakes. The next sweep continues after them. */
const SWEPT_AT_ONCE = 500;
/** Secrets to keep decrypted: two of each endpoint during a rotation. */
const KEPT_SECRETS = 10_000;
/** A request in progress does not use a database connection. */
const LIMITS: LaneLimits = { perLane: 10, total: 1_000, failing: 500 };
/** Two claims of an endpoint that answers at once, so that the next one is there before the requests of the last one end. */
const CLAIMED_AHEAD = 20;

export interface WebhookWorkerDeps extends DeliveryLoopDeps {
  readonly secrets: { open(sealed: Buffer): string };
  /** Opened by openGuardedAgent. Not closed with the worker. */
  readonly agent: Dispatcher;
  /** For one whole request. */
  readonly timeoutMs?: number;
  readonly limits?: LaneLimits;
  readonly onDisabled?: DeliverDeps["onDisabled"];
}

/** Delivers webhooks until stopped. Each endpoint has a lane of its own. */
export function startWebhookWorker(deps: WebhookWorkerDeps): Promise<DeliveryWorker> {
  const { database, log, secrets, agent, onDisabled, limits = LIMITS, timeoutMs = 15_000 } = deps;
  const clock = clockOf(deps);
  const open = rememberLast(KEPT_SECRETS, (sealed) => secrets.open(Buffer.from(sealed, "base64")));
  let after = 0;
  return startDeliveries(deps, ({ signal, wake }) => {
    const delivery: DeliverDeps = {
      db: database.db,
      secrets: { open: (sealed) => open(sealed.toString("base64")) },
      log,
      agent,
      ...clock,
      timeoutMs,
      signal,
      ...(onDisabled !== undefined && { onDisabled }),
    };
    return {
      name: "webhooks",
      channel: CHANNELS.dueWebhooks,
      limits,
      laneOf: Number,
      async listDueLanes() {
        const range = { after, limit: SWEPT_AT_ONCE, now: clock.now() };
        const found = await listDueEndpointIds(database.db, range);
        after = found.length === SWEPT_AT_ONCE ? (found.at(-1) ?? 0) : 0;
        return found;
      },
      claim: (endpointId, limit) => claimDeliveries(delivery, endpointId, limit),
      async deliver(claimed) {
        const { accepted, stored } = await deliverWebhook(delivery, claimed);
        if (claimed.orderedBy === null) return { accepted, stored };
        // The next event of the link waited for this one.
        return { accepted, stored: stored.then(() => wake(claimed.endpointId)) };
      },
      ahead: {
        limit: CLAIMED_AHEAD,
        release: (claimed) => releaseClaims(database.db, claimed, clock.now()),
      },
    };
  });
}

import type { Logger } from "pino";
import type { Dispatcher } from "undici";
import { type Clock, clockOf } from "#lib/platform/clock.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import { CHANNELS, listenForChanges } from "#lib/platform/db/listen-for-changes.ts";
import { claimDeliveries, type DeliverDeps, deliverWebhook } from "./deliver-webhook.ts";
import { listDueEndpointIds } from "./delivery-store.ts";
import { type LaneLimits, openLanes } from "./lanes.ts";

/** Endpoints that one sweep wakes. The next sweep continues after them. */
const SWEPT_AT_ONCE = 500;
/** A request in progress does not use a database connection. */
const LIMITS: LaneLimits = { perEndpoint: 10, total: 1_000, failing: 500 };

export interface WebhookWorkerDeps extends Partial<Clock> {
  readonly database: Database;
  readonly secrets: { open(sealed: Buffer): string };
  readonly log: Logger;
  /** Opened by openGuardedAgent. Not closed with the worker. */
  readonly agent: Dispatcher;
  /** For one whole request. */
  readonly timeoutMs?: number;
  readonly sweepEveryMs?: number;
  readonly limits?: LaneLimits;
  readonly onDisabled?: DeliverDeps["onDisabled"];
}

export interface WebhookWorker {
  /** Requests still in progress at `timeIsUp` (default: now) are aborted and released for other workers. */
  stop(timeIsUp?: AbortSignal): Promise<void>;
}

/**
 * Delivers webhooks until stopped. It delivers at once after the commit of a due delivery. A sweep finds
 * later attempts, deliveries of a killed worker and lost notifications. Throws if the database is
 * unavailable at the start; later it recovers by itself.
 */
export async function startWebhookWorker(deps: WebhookWorkerDeps): Promise<WebhookWorker> {
  const { database, log, timeoutMs = 15_000 } = deps;
  const { now, sleep } = clockOf(deps);
  const stopping = new AbortController();
  const breakOff = new AbortController();
  const { secrets, agent } = deps;
  const delivery: DeliverDeps = {
    db: database.db,
    secrets,
    log,
    agent,
    now,
    sleep,
    timeoutMs,
    signal: breakOff.signal,
    ...(deps.onDisabled !== undefined && { onDisabled: deps.onDisabled }),
  };
  const lanes = openLanes(deps.limits ?? LIMITS, {
    claim: (endpointId, limit) => claimDeliveries(delivery, endpointId, limit),
    deliver: (claimed) => deliverWebhook(delivery, claimed),
    // The claim expires by itself.
    onError: (err) => log.error({ err }, "webhooks: the database failed a delivery"),
  });

  let after = 0;
  async function sweep(): Promise<void> {
    const found = await listDueEndpointIds(database.db, { after, limit: SWEPT_AT_ONCE, now: now() });
    after = found.length === SWEPT_AT_ONCE ? (found.at(-1) ?? 0) : 0;
    for (const endpointId of found) lanes.wake(endpointId);
  }
  const sweepOrSay = () => sweep().catch((err) => log.error({ err }, "webhooks: sweep failed"));
  async function keepSweeping(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sweepOrSay();
      await sleep(deps.sweepEveryMs ?? 1_000, stopping.signal);
    }
  }

  const listener = await listenForChanges(
    database.url,
    CHANNELS.dueWebhooks,
    { onPayload: (endpointId) => lanes.wake(Number(endpointId)), onReconnect: () => void sweepOrSay() },
    { log, now, sleep },
  );
  const sweeping = keepSweeping();
  return {
    async stop(timeIsUp = AbortSignal.abort()) {
      stopping.abort();
      timeIsUp.addEventListener("abort", () => breakOff.abort(), { once: true });
      if (timeIsUp.aborted) breakOff.abort();
      await Promise.all([lanes.stop(), sweeping, listener.stop()]);
    },
  };
}

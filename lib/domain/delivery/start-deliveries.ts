import type { Logger } from "pino";
import type { Clock } from "#lib/platform/clock.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import { listenForChanges } from "#lib/platform/db/listen-for-changes.ts";
import { repeat } from "#lib/platform/repeat.ts";
import { type LaneLimits, type LaneWork, openLanes } from "./lanes.ts";

export interface DeliveryLoopDeps extends Partial<Clock> {
  readonly database: Database;
  readonly log: Logger;
  readonly sweepEveryMs?: number;
}

/** One kind of deliveries: where its due rows are, and how one is sent. */
export interface Deliveries<Claimed> extends Omit<LaneWork<Claimed>, "onError"> {
  /** For log lines and metrics, such as "webhooks". */
  readonly name: string;
  /** The channel that is notified when a delivery becomes due. */
  readonly channel: string;
  readonly limits: LaneLimits;
  /** The lane of a notification. */
  laneOf(payload: string): number;
  /** Lanes with due deliveries. Each sweep asks once, and may continue where the last one ended. */
  listDueLanes(): Promise<readonly number[]>;
}

/** The loop, for the deliveries that it runs. */
interface Loop {
  /** Aborted when attempts in progress must be broken off and released for other workers. */
  readonly signal: AbortSignal;
  wake(lane: number): void;
}

export interface DeliveryWorker {
  /** Attempts still in progress at `timeIsUp` (default: now) are broken off and released for other workers. */
  stop(timeIsUp?: AbortSignal): Promise<void>;
}

/**
 * Delivers until stopped: at once after the commit of a due delivery. A sweep finds later attempts, deliveries of a killed
 * worker and lost notifications. Throws if the database is unavailable at the start; later it recovers by itself.
 */
export async function startDeliveries<Claimed>(
  { database, log, sweepEveryMs = 1_000, ...clock }: DeliveryLoopDeps,
  open: (loop: Loop) => Deliveries<Claimed>,
): Promise<DeliveryWorker> {
  const breakOff = new AbortController();
  const deliveries = open({ signal: breakOff.signal, wake: (lane) => lanes.wake(lane) });
  const { name, channel, limits, laneOf, listDueLanes, ...work } = deliveries;
  const lanes = openLanes(limits, {
    ...work,
    // The claim expires by itself.
    onError: (err) => log.error({ err }, `${name}: a delivery failed`),
  });
  async function sweep(): Promise<void> {
    for (const lane of await listDueLanes()) lanes.wake(lane);
  }
  const listener = await listenForChanges(
    database.url,
    [channel],
    {
      onPayload: (payload) => lanes.wake(laneOf(payload)),
      onReconnect: () => void sweep().catch((err) => log.error({ err }, `${name}: sweep failed`)),
    },
    { log, ...clock },
  );
  const sweeping = repeat(`${name}: sweep`, sweepEveryMs, { log, ...clock }, sweep);
  return {
    async stop(timeIsUp = AbortSignal.abort()) {
      timeIsUp.addEventListener("abort", () => breakOff.abort(), { once: true });
      if (timeIsUp.aborted) breakOff.abort();
      await Promise.all([lanes.stop(), sweeping.stop(), listener.stop()]);
    },
  };
}

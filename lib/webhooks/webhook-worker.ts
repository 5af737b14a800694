import { EventEmitter } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { Logger as GraphileLogger, type Runner, run, type WorkerEvents } from "graphile-worker";
import type { Logger } from "pino";
import type { Dispatcher } from "undici";
import { z } from "zod";
import type { Database } from "#lib/db/connection.ts";
import { type DeliverDeps, deliverWebhook } from "./deliver-webhook.ts";
import { DELIVER_TASK } from "./store.ts";
import { sweepDeliveries } from "./sweep-deliveries.ts";

/** Requests still running this long after a stop are broken off and left to the next worker. */
const STOP_GRACE_MS = 3_000;
const RESTART_PAUSE_MS = 1_000;
/** A runner that has found no way to its jobs for so long is replaced. */
const RUNNER_FAILING_MS = 5_000;

export interface WebhookWorkerDeps {
  readonly database: Database;
  readonly secrets: { open(sealed: Buffer): string };
  readonly log: Logger;
  /** Opened by openGuardedAgent. Not closed with the worker. */
  readonly agent: Dispatcher;
  readonly now?: () => Date;
  /** For one request in total. */
  readonly timeoutMs?: number;
  readonly sweepEveryMs?: number;
  /** Requests under way at once. None of them holds a database connection. */
  readonly concurrency?: number;
}

const jobPayload = z.object({ deliveryId: z.int() });

function graphileLogger(log: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message) => {
    // Its "info" tells of every job and every start.
    log[level === "error" ? "error" : level === "warning" ? "warn" : "debug"](message);
  });
}

/**
 * Delivers webhooks until stopped: at once when a job is queued, and by a sweep of due rows whatever became of the job.
 * Throws when the queue cannot be reached at start; later it starts again by itself.
 */
export async function startWebhookWorker(deps: WebhookWorkerDeps): Promise<{ stop(): Promise<void> }> {
  const { database, log, now = () => new Date(), timeoutMs = 15_000 } = deps;
  const stopping = new AbortController();
  const breakOff = new AbortController();
  const delivery: DeliverDeps = {
    db: database.db,
    secrets: deps.secrets,
    log,
    agent: deps.agent,
    now,
    timeoutMs,
    signal: breakOff.signal,
  };
  const startRunner = async () => {
    const events: WorkerEvents = new EventEmitter();
    const started = await run({
      pgPool: database.pool,
      events,
      concurrency: deps.concurrency ?? 20,
      noHandleSignals: true,
      logger: graphileLogger(log),
      parsedCronItems: [],
      taskList: {
        [DELIVER_TASK]: (payload) => deliverWebhook(delivery, jobPayload.parse(payload).deliveryId),
      },
    });
    stopWhenFailing(started, events);
    return started;
  };

  let runner: Runner | null = await startRunner();
  /** The runner gives up when the database fails it badly: then another one takes its place. */
  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await runner?.promise;
      } catch (err) {
        log.error({ err }, "webhooks: the job runner broke");
      }
      await pauseUnlessStopping(RESTART_PAUSE_MS, stopping.signal);
      if (stopping.signal.aborted) return;
      runner = await startRunner().catch((err) => {
        log.error({ err }, "webhooks: the job runner does not start");
        return null;
      });
    }
    // The stop came while this one was starting.
    await runner?.stop().catch(() => {});
  }
  async function keepSweeping(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sweepDeliveries(database.db, now()).catch((err) => log.error({ err }, "webhooks: sweep failed"));
      await pauseUnlessStopping(deps.sweepEveryMs ?? 1_000, stopping.signal);
    }
  }
  const loops = Promise.all([keepRunning(), keepSweeping()]);

  return {
    async stop() {
      stopping.abort();
      const timer = setTimeout(() => breakOff.abort(), STOP_GRACE_MS);
      await runner?.stop().catch(() => {});
      await loops;
      clearTimeout(timer);
    },
  };
}

/**
 * A runner remembers the ids of its tasks as a promise, and for good: when the connection that asked for them was cut,
 * every later look for jobs fails of that same answer. One that only fails is stopped, so that another takes its place.
 */
function stopWhenFailing(runner: Runner, events: WorkerEvents): void {
  let failingSince: number | null = null;
  const wellAgain = () => {
    failingSince = null;
  };
  events.on("worker:getJob:empty", wellAgain);
  events.on("job:start", wellAgain);
  events.on("worker:getJob:error", () => {
    failingSince ??= performance.now();
    if (performance.now() - failingSince < RUNNER_FAILING_MS) return;
    wellAgain();
    // Refused when it is being stopped already.
    runner.stop("it finds no way to its jobs").catch(() => {});
  });
}

async function pauseUnlessStopping(ms: number, stopping: AbortSignal): Promise<void> {
  await pause(ms, undefined, { ref: false, signal: stopping }).catch(() => {});
}

import pg from "pg";
import type { Logger } from "pino";
import { type Clock, callLater, clockOf } from "../clock.ts";
import { PostgresClient } from "./availability.ts";

/** Pause between two probes of the LISTEN connection, and the time that a probe can take. */
const PROBE_MS = 15_000;
const RETRY_MS = [100, 500, 1_000, 2_000, 5_000] as const;

/** The channels of pg_notify. */
export const CHANNELS = {
  /** "<refid>:<version>" for each visible change of a payment link. */
  linkChanges: "paylink_links",
  /** The id of an endpoint with deliveries that are due. */
  dueWebhooks: "paylink_webhooks",
  /** "<env>:<network>" where a payer's wallet says that it has sent a payment. */
  sentPayments: "paylink_sent_payments",
  /** Mails are due. */
  dueMails: "paylink_mails",
  /** "<event id>:<merchant id>" for each new event of the test environment. */
  testEvents: "paylink_test_events",
} as const;

export interface ChangeListener {
  stop(): Promise<void>;
}

/**
 * Listens on channels with a connection of its own, and reconnects whenever the connection is lost. PostgreSQL does not keep
 * notifications for absent listeners, so `onReconnect` runs after each reconnect: notifications may have been missed.
 * Resolves when the first LISTEN is active. Throws if it fails.
 */
export async function listenForChanges(
  url: string,
  channels: readonly string[],
  handlers: { onPayload(payload: string, channel: string): void; onReconnect(): void },
  { log, ...given }: { readonly log: Logger } & Partial<Clock>,
): Promise<ChangeListener> {
  const clock = clockOf(given);
  let client: pg.Client | null = null;
  let stopped = false;
  let failures = 0;
  let cancel = () => {};

  async function open(): Promise<void> {
    const next = createClient(url);
    const lost = (error?: Error) => drop(next, error);
    next.on("error", lost);
    next.on("end", lost);
    next.on("notification", (message) => handlers.onPayload(message.payload ?? "", message.channel));
    try {
      await next.connect();
      for (const channel of channels) await next.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      next.removeAllListeners("end");
      next.end().catch(() => {});
      throw error;
    }
    if (stopped) return void (await next.end());
    client = next;
    failures = 0;
    probe();
  }

  /** Probes the connection, because a broken network sends no FIN. */
  function probe(): void {
    cancel = callLater(clock, PROBE_MS, () => {
      const probed = client;
      probed?.query("select 1").then(
        () => probed === client && !stopped && probe(),
        (error: Error) => drop(probed, error),
      );
    });
  }

  function drop(which: pg.Client, error?: Error): void {
    if (which !== client || stopped) return;
    client = null;
    cancel();
    log.warn({ err: error }, "connection for change notifications lost");
    which.end().catch(() => {});
    retry();
  }

  function retry(): void {
    const delay = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0;
    failures += 1;
    cancel = callLater(clock, delay, () => {
      open().then(handlers.onReconnect, (error: Error) => {
        log.warn({ err: error }, "connection for change notifications not available yet");
        if (!stopped) retry();
      });
    });
  }

  await open();
  return {
    async stop() {
      stopped = true;
      cancel();
      await client?.end().catch(() => {});
    },
  };
}

function createClient(url: string): pg.Client {
  return new PostgresClient({
    connectionString: url,
    application_name: "paylink listener",
    query_timeout: PROBE_MS,
  });
}

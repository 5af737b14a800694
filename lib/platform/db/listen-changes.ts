import pg from "pg";
import type { Logger } from "pino";

/** Silence longer than this on a LISTEN connection is questioned; an answer later than the same is no answer. */
const PROBE_MS = 15_000;
const RETRY_MS = [100, 500, 1_000, 2_000, 5_000] as const;

export interface ChangeListener {
  stop(): Promise<void>;
}

/**
 * LISTEN on a connection of its own, opened again whenever it drops. PostgreSQL keeps nothing for the absent, so
 * `onReconnect` runs after each reopening: whatever was said meanwhile has been missed.
 * Resolves once the first LISTEN stands; throws when it cannot be had.
 */
export async function listenForChanges(
  url: string,
  channel: string,
  handlers: { onPayload(payload: string): void; onReconnect(): void },
  log: Logger,
): Promise<ChangeListener> {
  let client: pg.Client | null = null;
  let stopped = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;

  async function open(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: "paylink listener",
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: PROBE_MS,
    });
    const lost = (error?: Error) => drop(next, error);
    next.on("error", lost);
    next.on("end", lost);
    next.on("notification", (message) => handlers.onPayload(message.payload ?? ""));
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(channel)}`);
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

  /** A cut cable sends no FIN: ask now and then. */
  function probe(): void {
    timer = setTimeout(() => {
      const asked = client;
      asked?.query("select 1").then(
        () => asked === client && !stopped && probe(),
        (error: Error) => drop(asked, error),
      );
    }, PROBE_MS);
    timer.unref();
  }

  function drop(which: pg.Client, error?: Error): void {
    if (which !== client || stopped) return;
    client = null;
    clearTimeout(timer);
    log.warn({ err: error }, "lost the connection that listens for changes");
    which.end().catch(() => {});
    retry();
  }

  function retry(): void {
    const delay = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)];
    failures += 1;
    timer = setTimeout(() => {
      open().then(handlers.onReconnect, (error: Error) => {
        log.warn({ err: error }, "cannot listen for changes yet");
        if (!stopped) retry();
      });
    }, delay);
  }

  await open();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}

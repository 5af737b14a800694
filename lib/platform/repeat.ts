import type { Logger } from "pino";

/** When each repeated work of this process last ended well, or began to be repeated; by its name. */
const lastGood = new Map<string, number>();

/** Seconds since then, by name: one that fails again and again, or hangs, grows old. */
export function getTaskAges(): ReadonlyMap<string, number> {
  return new Map([...lastGood].map(([name, at]) => [name, (performance.now() - at) / 1_000]));
}

/**
 * Runs `work` again and again, `everyMs` after the last one ended, until stopped. A failure is logged and the next
 * run tries again: what is due is in the database, not in here. `stopping` aborts when the run under way should end.
 */
export function repeat(
  name: string,
  everyMs: number,
  log: Logger,
  work: (stopping: AbortSignal) => Promise<void>,
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running = Promise.resolve();
  const endedWell = () => void lastGood.set(name, performance.now());
  endedWell();
  const run = () => {
    running = work(signal)
      .then(endedWell)
      .catch((error: unknown) => {
        // Of several things that failed, each has a line that says what it is about.
        for (const err of error instanceof AggregateError ? error.errors : [error])
          log.error({ err }, `${name} failed`);
      })
      .then(() => {
        if (!signal.aborted) timer = setTimeout(run, everyMs);
      });
  };
  run();
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
      lastGood.delete(name);
    },
  };
}

/** What `work` comes to, or a rejection with the signal's reason as soon as that aborts: the work itself goes on. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

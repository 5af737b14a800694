import type { Logger } from "pino";

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
  const run = () => {
    running = work(signal)
      .catch((error: unknown) => log.error({ err: error }, `${name} failed`))
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
    },
  };
}

import type { Logger } from "pino";
import { type Clock, callLater, clockOf } from "./clock.ts";

/** When each repeated task of this process last succeeded or was started, by name. */
const lastGood = new Map<string, number>();

/** Seconds since the last success of each task, by name. They grow while a task fails or hangs. */
export function getTaskAges(): ReadonlyMap<string, number> {
  return new Map([...lastGood].map(([name, at]) => [name, (performance.now() - at) / 1_000]));
}

/**
 * Runs `work` repeatedly, `everyMs` after the end of the last run, until stopped. A failure is logged and
 * the next run tries again: everything due is in the database. `stopping` aborts when the current run should
 * end.
 */
export function repeat(
  name: string,
  everyMs: number,
  { log, ...clock }: { readonly log: Logger } & Partial<Clock>,
  work: (stopping: AbortSignal) => Promise<void>,
): { stop(): Promise<void> } {
  let cancel = () => {};
  const stopping = new AbortController();
  const { signal } = stopping;
  let running = Promise.resolve();
  const endedWell = () => void lastGood.set(name, performance.now());
  endedWell();
  const run = () => {
    running = work(signal)
      .then(endedWell)
      .catch((error: unknown) => {
        // Each of several errors gets its own line with its own log context.
        for (const err of error instanceof AggregateError ? error.errors : [error])
          log.error({ err }, `${name} failed`);
      })
      .then(() => {
        if (!signal.aborted) cancel = callLater(clockOf(clock), everyMs, run);
      });
  };
  run();
  return {
    async stop() {
      stopping.abort();
      cancel();
      await running;
      lastGood.delete(name);
    },
  };
}

/**
 * Returns the result of `work`, or rejects with the reason of the signal as soon as it aborts. The work
 * itself continues.
 */
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

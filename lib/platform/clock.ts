/** The time, and the only way to wait for it, of whatever works in the background. Tests move it by hand. */
export interface Clock {
  now(): Date;
  /** Resolves after `ms`, or as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => new Date(),
  // The function of node:timers/promises makes an error with its stack for each signal that aborts. Most do.
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener("abort", end);
    }),
};

/** Returns the clock of these dependencies: the system's, but for what they bring. */
export function clockOf({ now = SYSTEM_CLOCK.now, sleep = SYSTEM_CLOCK.sleep }: Partial<Clock>): Clock {
  return { now, sleep };
}

/** Calls `run` after `ms`. Returns what prevents it. */
export function callLater({ sleep }: Pick<Clock, "sleep">, ms: number, run: () => void): () => void {
  const canceled = new AbortController();
  void sleep(ms, canceled.signal).then(() => {
    if (!canceled.signal.aborted) run();
  });
  // Without a reason it would make an error.
  return () => canceled.abort("canceled");
}

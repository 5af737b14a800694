import { setImmediate as endOfTurn } from "node:timers/promises";
import type { Clock } from "#lib/platform/clock.ts";

export interface ManualClock extends Clock {
  /**
   * Moves the time on. Each sleeper wakes at its own time, in order, also one that falls asleep meanwhile without waiting for
   * anything else but promises.
   */
  advance(ms: number): Promise<void>;
  /** Resolves as soon as so many sleep at the same time. */
  untilAsleep(count?: number): Promise<void>;
  /** For how many milliseconds those who sleep now will sleep, the shortest first. */
  sleeping(): readonly number[];
}

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** A clock that moves only when the test moves it. */
export function openManualClock(start = new Date()): ManualClock {
  let time = start.getTime();
  const sleepers = new Set<Sleeper>();
  const watchers = new Set<{ readonly count: number; readonly done: () => void }>();
  const inOrder = () => [...sleepers].sort((a, b) => a.due - b.due);
  return {
    now: () => new Date(time),
    sleep(ms, signal) {
      if (signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener("abort", wake);
          resolve();
        };
        const sleeper = { due: time + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", wake);
        for (const watcher of watchers) if (sleepers.size >= watcher.count) watcher.done();
      });
    },
    async advance(ms) {
      const end = time + ms;
      for (;;) {
        await endOfTurn();
        const [next] = inOrder();
        if (next === undefined || next.due > end) break;
        time = Math.max(time, next.due);
        next.wake();
      }
      time = end;
    },
    async untilAsleep(count = 1) {
      if (sleepers.size >= count) return;
      await new Promise<void>((resolve) => {
        const watcher = {
          count,
          done: () => {
            watchers.delete(watcher);
            resolve();
          },
        };
        watchers.add(watcher);
      });
    },
    sleeping: () => inOrder().map(({ due }) => due - time),
  };
}

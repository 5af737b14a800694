import type { Clock } from "#lib/platform/clock.ts";

/** How far a turn moves the time: watchers write unchanged progress once a second. */
const TURN_MS = 1_000;
/** A round may wait for a node that never answers. */
const LONGEST_ROUND_MS = 30_000;
/** A loop begins within this time, or not at all: a watcher whose network another one watches makes no pass. */
const LONGEST_START_MS = 600;

/** The time of background loops that tests drive: what sleeps wakes at the next turn, however long it wanted to sleep. */
export interface SteppedClock extends Clock {
  /** Lets every loop make a whole round: it waits until they sleep, wakes them, and waits until they sleep again. */
  turn(): Promise<void>;
  /** No turn waits for these loops any more. */
  close(): void;
}

const clocks = new Set<SteppedClock>();

/** A turn of every stepped clock of this process. Resolves to whether there is one. */
export async function turnAll(): Promise<boolean> {
  const all = [...clocks];
  await Promise.all(all.map((clock) => clock.turn()));
  return all.length > 0;
}

export function openSteppedClock(): SteppedClock {
  const sleepers = new Set<() => void>();
  /** How many loops there are: the most that slept at the same time. */
  let loops = 1;
  let hasBegun = false;
  let skewMs = 0;
  let isClosed = false;
  let onChange = () => {};
  const allAsleep = () =>
    new Promise<void>((resolve) => {
      const end = () => {
        if (!hasBegun || isClosed) return resolve();
        timer = setTimeout(resolve, LONGEST_ROUND_MS);
      };
      let timer = setTimeout(end, LONGEST_START_MS);
      onChange = () => {
        if (sleepers.size < loops && !isClosed) return;
        clearTimeout(timer);
        resolve();
      };
      onChange();
    });
  const takeTurn = async () => {
    await allAsleep();
    skewMs += TURN_MS;
    for (const wake of [...sleepers]) wake();
    await allAsleep();
  };
  let lastTurn: Promise<void> = Promise.resolve();
  const clock: SteppedClock = {
    now: () => {
      hasBegun = true;
      return new Date(Date.now() + skewMs);
    },
    sleep(_ms, signal) {
      hasBegun = true;
      if (signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          sleepers.delete(wake);
          signal?.removeEventListener("abort", wake);
          resolve();
        };
        sleepers.add(wake);
        signal?.addEventListener("abort", wake);
        loops = Math.max(loops, sleepers.size);
        onChange();
      });
    },
    turn() {
      lastTurn = lastTurn.then(takeTurn);
      return lastTurn;
    },
    close() {
      isClosed = true;
      clocks.delete(clock);
      onChange();
    },
  };
  clocks.add(clock);
  return clock;
}

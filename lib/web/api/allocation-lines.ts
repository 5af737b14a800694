import type { ApiCaller } from "#lib/domain/merchants/types.ts";

/**
 * Requests of one merchant and environment that allocate addresses at the same time. An account key's lock makes them
 * wait for each other anyway: one has it, one has prepared for it, and one is finishing.
 */
const MAX_RUNNING = 3;

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Makes the requests that allocate addresses wait in a line per merchant, in this process. All merchants share the
 * account keys and the connections to the database, so without lines a merchant would wait for all requests of another.
 */
export interface AllocationLines {
  /** Runs `work`, after earlier work of the same caller if too much of it is running. Rethrows its errors. */
  run<T>(caller: ApiCaller, work: () => Promise<T>): Promise<T>;
}

export function createAllocationLines(): AllocationLines {
  const lines = new Map<string, Line>();
  return {
    async run({ merchant, env }, work) {
      const key = `${env} ${merchant.id}`;
      const line = lines.get(key) ?? { running: 0, waiting: [] };
      lines.set(key, line);
      if (line.running < MAX_RUNNING) line.running += 1;
      else await new Promise<void>((start) => line.waiting.push(start));
      try {
        return await work();
      } finally {
        const startNext = line.waiting.shift();
        // The next one takes over the place, so that none that arrives now can overtake it.
        if (startNext !== undefined) startNext();
        else line.running -= 1;
        if (line.running === 0) lines.delete(key);
      }
    },
  };
}

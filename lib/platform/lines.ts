interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** Lines in which work waits in this process, before it takes a connection to the database. */
export interface Lines {
  /** Runs `work`, after earlier work of the same line if too much of it is running. Rethrows its errors. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** How much work waits in this line now. */
  countWaiting(name: string): number;
}

/** Each line runs at most `mostRunning` at the same time. */
export function createLines(mostRunning: number): Lines {
  const lines = new Map<string, Line>();
  return {
    async run(name, work) {
      const line = lines.get(name) ?? { running: 0, waiting: [] };
      lines.set(name, line);
      if (line.running < mostRunning) line.running += 1;
      else await new Promise<void>((start) => line.waiting.push(start));
      try {
        return await work();
      } finally {
        const startNext = line.waiting.shift();
        // The next one takes over the place, so that none that arrives now can overtake it.
        if (startNext !== undefined) startNext();
        else line.running -= 1;
        if (line.running === 0) lines.delete(name);
      }
    },
    countWaiting: (name) => lines.get(name)?.waiting.length ?? 0,
  };
}

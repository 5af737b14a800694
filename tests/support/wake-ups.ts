/** How long a test waits for something that never happens. */
const LATE_MS = 60_000;

/** Waits for conditions. A condition is checked again when something has happened, never by the clock. */
export class WakeUps {
  #next = Promise.withResolvers<void>();

  /** Something has happened: everyone who waits checks again. */
  readonly wake = (): void => {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  };

  /** Returns the first truthy answer. Fails with `what` if there is none. */
  async until<T>(what: string, ask: () => T | Promise<T>): Promise<NonNullable<T>> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`This did not happen: ${what}.`)), LATE_MS);
    try {
      for (;;) {
        const { promise: woken } = this.#next;
        const answer = await Promise.race([ask(), late]);
        if (answer) return answer;
        await Promise.race([woken, late]);
      }
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A list that grows from outside. A test waits for its items. */
export class Arrivals<T> extends WakeUps {
  readonly all: T[] = [];

  readonly add = (item: T): void => {
    this.all.push(item);
    this.wake();
  };

  /** Resolves to the item at this place (from 0) as soon as there is one. */
  at(place: number): Promise<NonNullable<T>> {
    return this.until(`item ${place} of a list`, () => this.all[place]);
  }
}

/** Random choices that follow from a seed alone (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The next number from 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let x = this.#state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.between(0, choices.length - 1)] as T;
  }

  /** One of the choices or null, if there is none. */
  pickOrNull<T>(choices: readonly T[]): T | null {
    return choices.length === 0 ? null : this.pick(choices);
  }

  /** One of the choices, each as often as its weight says. */
  weighted<T extends { readonly weight: number }>(choices: readonly T[]): T {
    let left = this.next() * choices.reduce((sum, { weight }) => sum + weight, 0);
    for (const choice of choices) {
      left -= choice.weight;
      if (left < 0) return choice;
    }
    return choices.at(-1) as T;
  }

  shuffled<T>(list: readonly T[]): T[] {
    const left = [...list];
    return list.map(() => left.splice(this.between(0, left.length - 1), 1)[0] as T);
  }
}

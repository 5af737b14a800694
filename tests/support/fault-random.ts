/** True for the long form, false for the short one that runs among all other tests. */
export const LONG = process.env.FAULTS !== "short";

/** Every choice of a run follows from it: FAULT_SEED repeats the choices, though not the timing of processes. */
export const SEED = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 2 ** 31));

let state = SEED >>> 0;

/** The next number from 0 to 1 (mulberry32). */
export function random(): number {
  state = (state + 0x6d2b79f5) >>> 0;
  let x = state;
  x = Math.imul(x ^ (x >>> 15), x | 1);
  x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
  return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
}

/** A whole number from `low` to `high`, both included. */
export function between(low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

export function pick<T>(choices: readonly T[]): T {
  return choices[between(0, choices.length - 1)] as T;
}

import { refillBucket, type TokenBucket } from "./token-bucket.ts";

/** With more keys than this, full buckets are forgotten. */
const MANY_KEYS = 10_000;
/** Otherwise many busy keys would make each request look through all of them. */
const FORGET_EVERY_MS = 1_000;

/** A token bucket per key, in the memory of this process. `clock` is monotonic, in milliseconds. */
export class TokenBuckets<Key> {
  readonly #buckets = new Map<Key, TokenBucket>();
  readonly #speed: { readonly capacity: number; readonly perSecond: number };
  readonly #clock: () => number;
  #forgotAt = Number.NEGATIVE_INFINITY;

  constructor(speed: { readonly capacity: number; readonly perSecond: number }, clock: () => number) {
    this.#speed = speed;
    this.#clock = clock;
  }

  /** The number of buckets in memory. A key without one has a full bucket. */
  get size(): number {
    return this.#buckets.size;
  }

  /** The tokens that a key has now. */
  left(key: Key): number {
    return this.#refill(key, this.#clock()).tokens;
  }

  /** Takes tokens even if fewer are left, or gives back a negative number of them. Returns those that are left. */
  take(key: Key, taken: number): number {
    const now = this.#clock();
    const tokens = Math.min(this.#speed.capacity, this.#refill(key, now).tokens - taken);
    this.#buckets.set(key, { tokens, filledAt: now });
    if (this.#buckets.size > MANY_KEYS && now - this.#forgotAt >= FORGET_EVERY_MS) this.#forgetFull(now);
    return tokens;
  }

  #refill(key: Key, now: number): TokenBucket {
    const full = { tokens: this.#speed.capacity, filledAt: now };
    return refillBucket(this.#buckets.get(key) ?? full, this.#speed, now);
  }

  #forgetFull(now: number): void {
    this.#forgotAt = now;
    for (const key of this.#buckets.keys())
      if (this.#refill(key, now).tokens >= this.#speed.capacity) this.#buckets.delete(key);
  }
}

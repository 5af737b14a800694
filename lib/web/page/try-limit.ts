import { visitorNetwork } from "#lib/domain/payment-links/visitor-rules.ts";
import { refillBucket, type TokenBucket } from "#lib/platform/token-bucket.ts";

const WINDOW_SECONDS = 600;
/** With more visitors than this, full buckets are deleted. */
const MAX_BUCKETS = 10_000;

/** Limits the codes or passwords that a visitor can try. */
export interface TryLimit {
  /** Takes one try. False if none is left. */
  admit(ip: string): boolean;
  /** Whether one is left. Takes none. */
  hasTries(ip: string): boolean;
}

/**
 * It bounds the work that a visitor causes in this process: `tries` at once, and as many every ten minutes. `clock` is
 * monotonic, in milliseconds.
 */
export function createTryLimit(tries: number, clock: () => number = () => performance.now()): TryLimit {
  const buckets = new Map<string, TokenBucket>();
  const speed = { capacity: tries, perSecond: tries / WINDOW_SECONDS };
  const refill = (key: string) =>
    refillBucket(buckets.get(key) ?? { tokens: tries, filledAt: clock() }, speed, clock());
  return {
    hasTries: (ip) => refill(visitorNetwork(ip)).tokens >= 1,
    admit(ip) {
      const key = visitorNetwork(ip);
      const bucket = refill(key);
      if (bucket.tokens < 1) return false;
      buckets.set(key, { ...bucket, tokens: bucket.tokens - 1 });
      if (buckets.size > MAX_BUCKETS) {
        for (const each of buckets.keys()) if (refill(each).tokens >= tries) buckets.delete(each);
      }
      return true;
    },
  };
}

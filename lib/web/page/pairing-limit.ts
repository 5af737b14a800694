import { visitorNetwork } from "#lib/domain/payment-links/visitor-rules.ts";
import { refillBucket, type TokenBucket } from "#lib/platform/token-bucket.ts";

const TRIES = 10;
const WINDOW_SECONDS = 600;
/** With more visitors than this, full buckets are deleted. */
const MAX_BUCKETS = 10_000;

/** Limits the device codes that a visitor can try: 10, and one more each minute. */
export interface PairingLimit {
  /** Takes one try. False if none is left. */
  admit(ip: string): boolean;
}

/**
 * A code has 60 random bits, so the limit only bounds the work that a visitor causes. It belongs to this process.
 * `clock` is monotonic, in milliseconds.
 */
export function createPairingLimit(clock: () => number = () => performance.now()): PairingLimit {
  const buckets = new Map<string, TokenBucket>();
  const speed = { capacity: TRIES, perSecond: TRIES / WINDOW_SECONDS };
  const refill = (key: string) =>
    refillBucket(buckets.get(key) ?? { tokens: TRIES, filledAt: clock() }, speed, clock());
  return {
    admit(ip) {
      const key = visitorNetwork(ip);
      const bucket = refill(key);
      if (bucket.tokens < 1) return false;
      buckets.set(key, { ...bucket, tokens: bucket.tokens - 1 });
      if (buckets.size > MAX_BUCKETS) {
        for (const each of buckets.keys()) if (refill(each).tokens >= TRIES) buckets.delete(each);
      }
      return true;
    },
  };
}

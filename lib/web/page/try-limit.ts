import { visitorNetwork } from "#lib/domain/payment-links/visitor-rules.ts";
import { TokenBuckets } from "#lib/platform/token-buckets.ts";

const WINDOW_SECONDS = 600;

/** Limits the codes or passwords that a visitor can try. */
export interface TryLimit {
  /** Takes one try. False if none is left. */
  admit(ip: string): boolean;
  /** Whether one is left. Takes none. */
  hasTries(ip: string): boolean;
}

/** It bounds the work that a visitor causes in this process: `tries` at once, and as many every ten minutes. */
export function createTryLimit(tries: number): TryLimit {
  const rate = { capacity: tries, perSecond: tries / WINDOW_SECONDS };
  const buckets = new TokenBuckets<string>(rate, () => performance.now());
  const hasTries = (ip: string) => buckets.left(visitorNetwork(ip)) >= 1;
  return {
    hasTries,
    admit(ip) {
      if (!hasTries(ip)) return false;
      buckets.take(visitorNetwork(ip), 1);
      return true;
    },
  };
}

import { SITE_SHARE, visitorNetworks } from "#lib/domain/payment-links/visitor-rules.ts";
import { TokenBuckets } from "#lib/platform/token-buckets.ts";

const WINDOW_SECONDS = 600;

/** Limits the codes or passwords that a visitor can try. */
export interface TryLimit {
  /** Takes one try. False if none is left. */
  admit(ip: string): boolean;
  /** Whether one is left. Takes none. */
  hasTries(ip: string): boolean;
}

/**
 * It bounds the work that a visitor causes in this process: `tries` at once, and as many every ten minutes. The visitors of one site together
 * have SITE_SHARE times as many.
 */
export function createTryLimit(tries: number, clock: () => number = () => performance.now()): TryLimit {
  const open = (most: number) =>
    new TokenBuckets<string>({ capacity: most, perSecond: most / WINDOW_SECONDS }, clock);
  const [visitors, sites] = [open(tries), open(tries * SITE_SHARE)];
  const hasTries = (ip: string) => {
    const { visitor, site } = visitorNetworks(ip);
    return visitors.left(visitor) >= 1 && sites.left(site) >= 1;
  };
  return {
    hasTries,
    admit(ip) {
      if (!hasTries(ip)) return false;
      const { visitor, site } = visitorNetworks(ip);
      visitors.take(visitor, 1);
      sites.take(site, 1);
      return true;
    },
  };
}

import { visitorNetwork } from "#lib/domain/payment-links/visitor-rules.ts";
import { refillBucket, type TokenBucket } from "#lib/platform/token-bucket.ts";

/** The sockets of one client address. */
interface Visitor {
  open: number;
  /** New sockets that the address may open now. */
  bucket: TokenBucket;
}

const MINUTE_MS = 60_000;
/** Past this many addresses, those of which nothing is left to remember are forgotten. */
const MANY = 10_000;

/**
 * Counts the sockets of each client address (of an IPv6 one: its 64-bit network): at most `most` open at a time, and as
 * many new ones a minute. Held by this process alone. `clock` is monotonic, in milliseconds.
 * Answers what is to be called once that socket is gone, or null: this one is too many.
 */
export function openSocketLimiter(
  most: number,
  clock: () => number = () => performance.now(),
): (address: string) => (() => void) | null {
  const speed = { capacity: most, perSecond: (most * 1_000) / MINUTE_MS };
  const visitors = new Map<string, Visitor>();
  return (address) => {
    const now = clock();
    if (visitors.size > MANY) forgetIdle(visitors, now - MINUTE_MS);
    const key = visitorNetwork(address);
    const visitor = visitors.get(key) ?? { open: 0, bucket: { tokens: most, filledAt: now } };
    visitors.set(key, visitor);
    const bucket = refillBucket(visitor.bucket, speed, now);
    visitor.bucket = bucket;
    if (visitor.open >= most || bucket.tokens < 1) return null;
    visitor.open += 1;
    visitor.bucket = { ...bucket, tokens: bucket.tokens - 1 };
    return () => {
      visitor.open -= 1;
    };
  };
}

function forgetIdle(visitors: Map<string, Visitor>, since: number): void {
  for (const [key, { open, bucket }] of visitors) {
    if (open === 0 && bucket.filledAt <= since) visitors.delete(key);
  }
}

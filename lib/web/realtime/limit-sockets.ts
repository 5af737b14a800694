import { visitorNetwork } from "#lib/domain/payment-links/visitor-rules.ts";
import { refillBucket, type TokenBucket } from "#lib/platform/token-bucket.ts";

/** The sockets of one client address. */
interface Visitor {
  open: number;
  /** New sockets that the address may open now. */
  bucket: TokenBucket;
}

const MINUTE_MS = 60_000;
/** Above this number of addresses, idle ones are removed from memory. */
const MAX_VISITORS = 10_000;

/**
 * Limits the sockets of each client address (for IPv6, of its 64-bit network) in this process: at most `most` open at
 * a time, and `most` new ones per minute. `clock` is monotonic, in milliseconds. The returned function admits a socket
 * and returns a callback for its end. It returns null if the address has too many sockets.
 */
export function openSocketLimiter(
  most: number,
  clock: () => number = () => performance.now(),
): (address: string) => (() => void) | null {
  const speed = { capacity: most, perSecond: (most * 1_000) / MINUTE_MS };
  const visitors = new Map<string, Visitor>();
  return (address) => {
    const now = clock();
    if (visitors.size > MAX_VISITORS) removeIdle(visitors, now - MINUTE_MS);
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

function removeIdle(visitors: Map<string, Visitor>, since: number): void {
  for (const [key, { open, bucket }] of visitors) {
    if (open === 0 && bucket.filledAt <= since) visitors.delete(key);
  }
}

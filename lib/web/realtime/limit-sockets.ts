import { visitorNetwork } from "#lib/domain/payment-links/visitor-rules.ts";
import { TokenBuckets } from "#lib/platform/token-buckets.ts";

const WINDOW_SECONDS = 60;

/**
 * Limits the sockets of each client address (for IPv6, of its 64-bit network) in this process: at most `most` open at
 * a time, and `most` new ones per minute. `clock` is monotonic, in milliseconds. The returned function admits a socket
 * and returns a callback for its end. It returns null if the address has too many sockets.
 */
export function openSocketLimiter(
  most: number,
  clock: () => number = () => performance.now(),
): (address: string) => (() => void) | null {
  const openOnes = new Map<string, number>();
  /** New sockets that an address may open now. */
  const buckets = new TokenBuckets<string>({ capacity: most, perSecond: most / WINDOW_SECONDS }, clock);
  const add = (key: string, change: number) => {
    const count = (openOnes.get(key) ?? 0) + change;
    if (count === 0) openOnes.delete(key);
    else openOnes.set(key, count);
  };
  return (address) => {
    const key = visitorNetwork(address);
    if ((openOnes.get(key) ?? 0) >= most || buckets.left(key) < 1) return null;
    buckets.take(key, 1);
    add(key, 1);
    return () => add(key, -1);
  };
}

import { visitorNetwork } from "#lib/domain/payment-links/visitor-rules.ts";

/** What is held of one client address. */
interface Visitor {
  open: number;
  /** New sockets it may still have now, and the milliseconds of the clock at which that was true. */
  fresh: number;
  at: number;
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
  const visitors = new Map<string, Visitor>();
  return (address) => {
    const now = clock();
    if (visitors.size > MANY) forgetIdle(visitors, now - MINUTE_MS);
    const key = visitorNetwork(address);
    const visitor = visitors.get(key) ?? { open: 0, fresh: most, at: now };
    visitors.set(key, visitor);
    visitor.fresh = Math.min(most, visitor.fresh + ((now - visitor.at) / MINUTE_MS) * most);
    visitor.at = now;
    if (visitor.open >= most || visitor.fresh < 1) return null;
    visitor.open += 1;
    visitor.fresh -= 1;
    return () => {
      visitor.open -= 1;
    };
  };
}

function forgetIdle(visitors: Map<string, Visitor>, since: number): void {
  for (const [key, { open, at }] of visitors) if (open === 0 && at <= since) visitors.delete(key);
}

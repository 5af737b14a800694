import { TokenBuckets } from "#lib/platform/token-buckets.ts";
import type { RateLimit } from "./types.ts";

type Headers = Readonly<Record<string, string>>;

/** The decision for one request. `headers` report the limit. */
type RateLimitResult =
  | { readonly allowed: false; readonly headers: Headers }
  | {
      readonly allowed: true;
      /** Replaces the tokens that were reserved by the cost. Call it once. Returns the headers of the answer. */
      readonly settle: (cost: number) => Headers;
    };

export interface RateLimiter {
  /** Asks for one request of a key. Reserves up to that many tokens, at least one. */
  admit(key: number, reserved?: number): RateLimitResult;
}

/** An answer costs one token for each part of this size that it begins. */
const BYTES_PER_TOKEN = 32 * 1024;
/** The cost of the largest list, 1 MiB, and of one whose rows are all counted. */
export const MAX_COST = 32;

/** The tokens that an answer costs, by the bytes of its body. */
export function costOf(body: string): number {
  return Math.max(1, Math.ceil(Buffer.byteLength(body) / BYTES_PER_TOKEN));
}

/**
 * A token bucket per key: `burst` tokens at once, `perSecond` on average. A request needs one, and a large answer
 * takes more, so that the bucket may be below 0 for a while. The buckets belong to this process, so each of several
 * web processes grants the full limit. `clock` is monotonic, in milliseconds.
 * Headers: draft-ietf-httpapi-ratelimit-headers (RateLimit-Policy, RateLimit) and Retry-After.
 */
export function createRateLimiter(
  limit: RateLimit,
  clock: () => number = () => performance.now(),
): RateLimiter {
  const buckets = new TokenBuckets<number>({ capacity: limit.burst, perSecond: limit.perSecond }, clock);
  const fillMs = (limit.burst / limit.perSecond) * 1000;
  const policy = `"key";q=${limit.burst};w=${Math.max(1, Math.ceil(fillMs / 1000))}`;
  const secondsFor = (tokens: number) => Math.max(1, Math.ceil((1 - tokens) / limit.perSecond));
  const report = (tokens: number): Headers => ({
    "ratelimit-policy": policy,
    ratelimit: `"key";r=${Math.max(0, Math.floor(tokens))};t=${secondsFor(tokens)}`,
  });
  return {
    admit(key, reserved = 1) {
      const tokens = buckets.left(key);
      if (tokens < 1) {
        return { allowed: false, headers: { ...report(tokens), "retry-after": String(secondsFor(tokens)) } };
      }
      const held = Math.min(reserved, tokens);
      buckets.take(key, held);
      return { allowed: true, settle: (cost) => report(buckets.take(key, cost - held)) };
    },
  };
}

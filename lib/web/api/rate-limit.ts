import { refillBucket, type TokenBucket } from "#lib/platform/token-bucket.ts";
import type { RateLimit } from "./types.ts";

/** The decision for one request, and the headers that report the limit. */
export interface RateLimitResult {
  readonly allowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** With more keys than this, full buckets are deleted. */
const MAX_BUCKETS = 10_000;

/**
 * A token bucket per key: `burst` requests at once, `perSecond` on average. The buckets belong to this
 * process, so each of several web processes grants the full limit. `clock` is monotonic, in milliseconds.
 * Headers: draft-ietf-httpapi-ratelimit-headers (RateLimit-Policy, RateLimit) and Retry-After.
 */
export function createRateLimiter(
  limit: RateLimit,
  clock: () => number = () => performance.now(),
): (key: number) => RateLimitResult {
  const buckets = new Map<number, TokenBucket>();
  const speed = { capacity: limit.burst, perSecond: limit.perSecond };
  const fillMs = (limit.burst / limit.perSecond) * 1000;
  const policy = `"key";q=${limit.burst};w=${Math.max(1, Math.ceil(fillMs / 1000))}`;
  return (key) => {
    const now = clock();
    const filled = refillBucket(buckets.get(key) ?? { tokens: limit.burst, filledAt: now }, speed, now);
    const allowed = filled.tokens >= 1;
    const tokens = allowed ? filled.tokens - 1 : filled.tokens;
    buckets.set(key, { tokens, filledAt: now });
    if (buckets.size > MAX_BUCKETS) deleteFullBuckets(buckets, now - fillMs);
    const remaining = Math.floor(tokens);
    const seconds = Math.max(1, Math.ceil((1 - tokens) / limit.perSecond));
    const headers = { "ratelimit-policy": policy, ratelimit: `"key";r=${remaining};t=${seconds}` };
    return { allowed, headers: allowed ? headers : { ...headers, "retry-after": String(seconds) } };
  };
}

function deleteFullBuckets(buckets: Map<number, TokenBucket>, fullSince: number): void {
  for (const [key, bucket] of buckets) if (bucket.filledAt <= fullSince) buckets.delete(key);
}

import type { RateLimit } from "./types.ts";

/** How a request stands to its key's limit, and the headers that say so. */
export interface RateLimitResult {
  readonly allowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

interface Bucket {
  tokens: number;
  /** Milliseconds of the clock at which `tokens` was true. */
  at: number;
}

/** Past this many keys, the buckets that have filled up again are forgotten. */
const MANY = 10_000;

/**
 * A token bucket per key: `burst` at once, `perSecond` in the long run. Held by this process alone: several web
 * processes each grant the whole. `clock` is monotonic, in milliseconds.
 * Headers: draft-ietf-httpapi-ratelimit-headers (RateLimit-Policy, RateLimit) and Retry-After.
 */
export function createRateLimiter(
  limit: RateLimit,
  clock: () => number = () => performance.now(),
): (key: number) => RateLimitResult {
  const buckets = new Map<number, Bucket>();
  const fillMs = (limit.burst / limit.perSecond) * 1000;
  const policy = `"key";q=${limit.burst};w=${Math.max(1, Math.ceil(fillMs / 1000))}`;
  return (key) => {
    const now = clock();
    const bucket = buckets.get(key) ?? { tokens: limit.burst, at: now };
    bucket.tokens = Math.min(limit.burst, bucket.tokens + ((now - bucket.at) / 1000) * limit.perSecond);
    bucket.at = now;
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    buckets.set(key, bucket);
    if (buckets.size > MANY) forgetFull(buckets, now - fillMs);
    const remaining = Math.floor(bucket.tokens);
    const seconds = Math.max(1, Math.ceil((1 - bucket.tokens) / limit.perSecond));
    const headers = { "ratelimit-policy": policy, ratelimit: `"key";r=${remaining};t=${seconds}` };
    return { allowed, headers: allowed ? headers : { ...headers, "retry-after": String(seconds) } };
  };
}

function forgetFull(buckets: Map<number, Bucket>, fullSince: number): void {
  for (const [key, bucket] of buckets) if (bucket.at <= fullSince) buckets.delete(key);
}

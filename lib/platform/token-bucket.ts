/** A token bucket: it fills with time, up to its capacity. Below 0 when tokens were taken in advance. */
export interface TokenBucket {
  readonly tokens: number;
  /** Milliseconds of the clock at which `tokens` was true. */
  readonly filledAt: number;
}

/** Fills the bucket up to `now`. `perSecond` is how many tokens it gains each second. */
export function refillBucket(
  bucket: TokenBucket,
  { capacity, perSecond }: { readonly capacity: number; readonly perSecond: number },
  now: number,
): TokenBucket {
  const passedMs = Math.max(0, now - bucket.filledAt);
  const tokens = Math.min(capacity, bucket.tokens + (passedMs / 1_000) * perSecond);
  return { tokens, filledAt: now };
}

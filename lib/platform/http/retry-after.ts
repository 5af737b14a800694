/**
 * Parses a Retry-After header (RFC 9110): a number of seconds, or a date. Returns milliseconds from `now`. Returns 0
 * when the header is absent, malformed or in the past.
 */
export function parseRetryAfter(text: string | null, now: number): number {
  const trimmed = text?.trim() ?? "";
  const waitMs = /^[0-9]{1,9}$/.test(trimmed) ? Number(trimmed) * 1_000 : Date.parse(trimmed) - now;
  return Number.isNaN(waitMs) ? 0 : Math.max(waitMs, 0);
}

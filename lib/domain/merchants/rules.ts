const LAST_USED_STEP_MS = 60_000;

/** A key counts until its end and until its revocation, which may lie ahead (rotation). */
export function isKeyActive(key: { expiresAt: Date | null; revokedAt: Date | null }, now: Date): boolean {
  const end = (date: Date | null) => date?.getTime() ?? Number.POSITIVE_INFINITY;
  return now.getTime() < Math.min(end(key.expiresAt), end(key.revokedAt));
}

/** `last_used_at` is written at most once a minute: a busy key must not cost a write per request. */
export function shouldRecordUse(lastUsedAt: Date | null, now: Date): boolean {
  return lastUsedAt === null || lastUsedAt <= lastUseCutoff(now);
}

/** Up to when a noted use is too old. */
export function lastUseCutoff(now: Date): Date {
  return new Date(now.getTime() - LAST_USED_STEP_MS);
}

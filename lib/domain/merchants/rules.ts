const LAST_USED_STEP_MS = 60_000;
/** Active keys of a merchant in an environment. */
export const MAX_ACTIVE_KEYS = 50;
/** Addresses and ranges from which a merchant's live keys may be used. */
export const MAX_IP_ENTRIES = 100;

/** True before the key's expiry and revocation. A revocation can be in the future (rotation). */
export function isKeyActive(key: { expiresAt: Date | null; revokedAt: Date | null }, now: Date): boolean {
  const end = (date: Date | null) => date?.getTime() ?? Number.POSITIVE_INFINITY;
  return now.getTime() < Math.min(end(key.expiresAt), end(key.revokedAt));
}

/** True if the recorded use is older than a minute. So `last_used_at` does not cost a write per request. */
export function shouldRecordUse(lastUsedAt: Date | null, now: Date): boolean {
  return lastUsedAt === null || lastUsedAt <= lastUseCutoff(now);
}

/** Recorded uses up to this time are replaced. */
export function lastUseCutoff(now: Date): Date {
  return new Date(now.getTime() - LAST_USED_STEP_MS);
}

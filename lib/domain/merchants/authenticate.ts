import type { Env } from "#lib/chains/network-data.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { readApiKey } from "./make-api-key.ts";
import { isKeyActive, lastUseCutoff, shouldRecordUse } from "./rules.ts";
import { selectCaller, setLastUsedAt } from "./store.ts";
import type { ApiCaller } from "./types.ts";

/**
 * Whose key this is, or null: malformed (no query then), unknown, of the other environment, revoked or expired.
 * A disabled merchant's key is answered; the caller decides on `merchant.status`.
 */
export async function findCaller(db: Db, apiKeyText: string, env: Env, now: Date): Promise<ApiCaller | null> {
  const key = readApiKey(apiKeyText);
  if (key === null || key.env !== env) return null;
  const found = await selectCaller(db, key.hash);
  if (found === null || found.env !== env || !isKeyActive(found, now)) return null;
  const { expiresAt: _expires, revokedAt: _revoked, lastUsedAt, ...caller } = found;
  if (shouldRecordUse(lastUsedAt, now)) await setLastUsedAt(db, caller.keyId, now, lastUseCutoff(now));
  return caller;
}

import type { Env } from "#lib/chains/network-data.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { readApiKey } from "./make-api-key.ts";
import { keyIsValid, notedUntil, shouldNoteUse } from "./rules.ts";
import { selectCaller, setLastUsedAt } from "./store.ts";
import type { Caller } from "./types.ts";

/**
 * Whose key this is, or null: malformed (no query then), unknown, of the other environment, revoked or expired.
 * A disabled merchant's key is answered; the caller decides on `merchant.status`.
 */
export async function authenticate(db: Db, apiKeyText: string, env: Env, now: Date): Promise<Caller | null> {
  const key = readApiKey(apiKeyText);
  if (key === null || key.env !== env) return null;
  const found = await selectCaller(db, key.hash);
  if (found === null || found.env !== env || !keyIsValid(found, now)) return null;
  const { expiresAt: _expires, revokedAt: _revoked, lastUsedAt, ...caller } = found;
  if (shouldNoteUse(lastUsedAt, now)) await setLastUsedAt(db, caller.keyId, now, notedUntil(now));
  return caller;
}

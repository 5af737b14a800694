import type { Env } from "#lib/chains/network-data.ts";
import { parseApiKey } from "#lib/domain/merchants/api-keys.ts";
import { recordKeyUse } from "#lib/domain/merchants/record-key-use.ts";
import { isKeyActive } from "#lib/domain/merchants/rules.ts";
import type { ApiCaller } from "#lib/domain/merchants/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { findKeyByHash } from "./queries.ts";

/**
 * Finds the caller of an API key. Null if the key is malformed (without a query), unknown, of the other environment,
 * revoked, expired, or made by a person who no longer works for the merchant. The key of a disabled merchant is found: the caller of this function checks `merchant.status`.
 */
export async function findCaller(db: Db, apiKeyText: string, env: Env, now: Date): Promise<ApiCaller | null> {
  const key = parseApiKey(apiKeyText);
  if (key === null || key.env !== env) return null;
  const found = await findKeyByHash(db, key.hash);
  if (found === null || found.env !== env || !isKeyActive(found, now)) return null;
  if (found.madeBy !== null && found.makerRole === null) return null;
  const { expiresAt: _expires, revokedAt: _revoked, lastUsedAt, ...caller } = found;
  await recordKeyUse(db, { id: caller.keyId, lastUsedAt }, now);
  return caller;
}

import { and, eq, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import { parseApiKey } from "#lib/domain/merchants/api-keys.ts";
import { MERCHANT_COLUMNS } from "#lib/domain/merchants/columns.ts";
import { recordKeyUse } from "#lib/domain/merchants/record-key-use.ts";
import { isKeyActive } from "#lib/domain/merchants/rules.ts";
import { apiKeys, merchants } from "#lib/domain/merchants/tables.ts";
import type { ApiCaller, ApiKey } from "#lib/domain/merchants/types.ts";
import { coalescePerTurn } from "#lib/platform/db/batching.ts";
import { type Db, oncePerDatabase } from "#lib/platform/db/connection.ts";
import { members } from "./tables.ts";

type FoundCaller = ApiCaller & Pick<ApiKey, "expiresAt" | "revokedAt" | "lastUsedAt">;

/** Finds a caller by the hash of its key, in hex. Concurrent requests with one key share a query. */
const callerByHash = oncePerDatabase((db) => {
  const select = db
    .select({
      merchant: MERCHANT_COLUMNS,
      env: apiKeys.env,
      keyId: apiKeys.id,
      scope: apiKeys.scope,
      madeBy: apiKeys.madeBy,
      makerRole: members.role,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .innerJoin(merchants, eq(merchants.id, apiKeys.merchantId))
    .leftJoin(members, and(eq(members.merchantId, apiKeys.merchantId), eq(members.userId, apiKeys.madeBy)))
    .where(eq(apiKeys.hash, sql.placeholder("hash")))
    .prepare("caller_by_hash");
  return coalescePerTurn(async (hash): Promise<FoundCaller | null> => {
    const [row] = await select.execute({ hash: Buffer.from(hash, "hex") });
    return row ?? null;
  });
});

/**
 * Finds the caller of an API key. Null if the key is malformed (without a query), unknown, of the other environment,
 * revoked, expired, or made by a person who no longer works for the merchant. The key of a disabled merchant is found: the caller of this function checks `merchant.status`.
 */
export async function findCaller(db: Db, apiKeyText: string, env: Env, now: Date): Promise<ApiCaller | null> {
  const key = parseApiKey(apiKeyText);
  if (key === null || key.env !== env) return null;
  const found = await callerByHash(db)(key.hash.toString("hex"));
  if (found === null || found.env !== env || !isKeyActive(found, now)) return null;
  if (found.madeBy !== null && found.makerRole === null) return null;
  const { expiresAt: _expires, revokedAt: _revoked, lastUsedAt, ...caller } = found;
  await recordKeyUse(db, { id: caller.keyId, lastUsedAt }, now);
  return caller;
}

import type { Env } from "#lib/chains/network-data.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { createApiKey } from "./api-keys.ts";
import { findKeyMerchant, findMerchant, findMerchantByEmail, listApiKeys, mayHaveKeys } from "./queries.ts";
import { isKeyActive } from "./rules.ts";
import { insertKey, lockKey, revokeKeysMadeBy, setRevokedAt } from "./store.ts";
import type { ApiKey, KeyScope, Merchant } from "./types.ts";

/** Creates another key. `apiKey` is shown here once and not stored. */
export async function createKey(
  tx: Tx,
  email: string,
  input: { env: Env; scope: KeyScope; expiresAt: Date | null },
  now: Date,
): Promise<
  | { ok: true; key: ApiKey; apiKey: string; merchant: Merchant }
  | { ok: false; reason: "merchant_not_found" | "expires_in_the_past" }
> {
  const merchant = await findMerchantByEmail(tx, email);
  if (merchant === null) return { ok: false, reason: "merchant_not_found" };
  if (input.expiresAt !== null && input.expiresAt <= now) return { ok: false, reason: "expires_in_the_past" };
  const { text, hash, last4 } = createApiKey(input.env);
  const key = await insertKey(tx, { ...input, merchantId: merchant.id, hash, last4, madeBy: null }, now);
  return { ok: true, key, apiKey: text, merchant };
}

/** A merchant's keys of both environments, oldest first, without the key texts. */
export async function listKeys(
  db: Db | Tx,
  email: string,
): Promise<{ ok: true; keys: ApiKey[] } | { ok: false; reason: "merchant_not_found" }> {
  const merchant = await findMerchantByEmail(db, email);
  if (merchant === null) return { ok: false, reason: "merchant_not_found" };
  return { ok: true, keys: await listApiKeys(db, merchant.id) };
}

/** Revokes a key now or at a future time. A future revocation can be changed, a past one cannot. */
export async function revokeKey(
  tx: Tx,
  id: number,
  at: Date | null,
  now: Date,
): Promise<
  | { ok: true; key: ApiKey; merchant: Merchant }
  | { ok: false; reason: "key_not_found" | "already_revoked" | "revoked_in_the_past" }
> {
  if (at !== null && at < now) return { ok: false, reason: "revoked_in_the_past" };
  const found = await loadKey(tx, id);
  if (found === null) return { ok: false, reason: "key_not_found" };
  const { key, merchant } = found;
  if (key.revokedAt !== null && key.revokedAt <= now) return { ok: false, reason: "already_revoked" };
  const revokedAt = at ?? now;
  await setRevokedAt(tx, id, revokedAt);
  return { ok: true, key: { ...key, revokedAt }, merchant };
}

/**
 * Replaces an active key with a new one of the same environment, scope and maker. The old key works until
 * `oldUntil`, or until its own end if that is earlier. `apiKey` is shown here once and not stored.
 */
export async function rotateKey(
  tx: Tx,
  id: number,
  { oldUntil, expiresAt }: { oldUntil: Date; expiresAt: Date | null },
  now: Date,
): Promise<
  | { ok: true; key: ApiKey; apiKey: string; old: ApiKey; merchant: Merchant }
  | { ok: false; reason: "key_not_found" | "key_ended" | "expires_in_the_past" }
> {
  if (expiresAt !== null && expiresAt <= now) return { ok: false, reason: "expires_in_the_past" };
  const merchantId = await findKeyMerchant(tx, id);
  // A removal of the key's maker comes before or after, as with createOwnKey.
  if (merchantId !== null) await lockMerchant(tx, merchantId);
  const found = await loadKey(tx, id);
  if (found === null) return { ok: false, reason: "key_not_found" };
  const { key: old, merchant } = found;
  const { env, scope, madeBy } = old;
  const isStaff = await mayHaveKeys(tx, { merchantId: merchant.id, madeBy });
  if (!isStaff || !isKeyActive(old, now)) return { ok: false, reason: "key_ended" };
  const revokedAt = old.revokedAt !== null && old.revokedAt < oldUntil ? old.revokedAt : oldUntil;
  await setRevokedAt(tx, id, revokedAt);
  const { text, hash, last4 } = createApiKey(env);
  const key = await insertKey(
    tx,
    { merchantId: merchant.id, env, scope, madeBy, expiresAt, hash, last4 },
    now,
  );
  return { ok: true, key, apiKey: text, old: { ...old, revokedAt }, merchant };
}

/** Revokes what a person made at a merchant, when they leave. Returns how many keys. */
export function endKeysOf(
  tx: Tx,
  person: { readonly merchantId: number; readonly userId: number },
  now: Date,
): Promise<number> {
  return revokeKeysMadeBy(tx, person, now);
}

async function loadKey(tx: Tx, id: number): Promise<{ key: ApiKey; merchant: Merchant } | null> {
  const found = await lockKey(tx, id);
  if (found === null) return null;
  const { merchantId, ...key } = found;
  const merchant = await findMerchant(tx, merchantId);
  return merchant && { key, merchant };
}

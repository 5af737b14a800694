import type { Db, Tx } from "#lib/db/connection.ts";
import type { Env } from "#lib/networks/networks.ts";
import { makeApiKey } from "./make-api-key.ts";
import { insertKey, lockKey, selectKeys, selectMerchantByEmail, setRevokedAt } from "./store.ts";
import type { ApiKey, KeyScope } from "./types.ts";

/** A further key. `apiKey` is shown here once and kept nowhere. */
export async function createKey(
  tx: Tx,
  email: string,
  input: { env: Env; scope: KeyScope; expiresAt: Date | null },
  now: Date,
): Promise<
  | { ok: true; key: ApiKey; apiKey: string }
  | { ok: false; reason: "merchant_not_found" | "expires_in_the_past" }
> {
  const merchant = await selectMerchantByEmail(tx, email);
  if (merchant === null) return { ok: false, reason: "merchant_not_found" };
  if (input.expiresAt !== null && input.expiresAt <= now) return { ok: false, reason: "expires_in_the_past" };
  const { text, hash, last4 } = makeApiKey(input.env);
  const key = await insertKey(tx, { ...input, merchantId: merchant.id, hash, last4 }, now);
  return { ok: true, key, apiKey: text };
}

/** A merchant's keys of both environments, oldest first, without the keys themselves. */
export async function listKeys(
  db: Db | Tx,
  email: string,
): Promise<{ ok: true; keys: ApiKey[] } | { ok: false; reason: "merchant_not_found" }> {
  const merchant = await selectMerchantByEmail(db, email);
  if (merchant === null) return { ok: false, reason: "merchant_not_found" };
  return { ok: true, keys: await selectKeys(db, merchant.id) };
}

/** Ends a key now, or at a chosen time ahead (rotation); a time still ahead may be moved, a past one may not. */
export async function revokeKey(
  tx: Tx,
  id: number,
  at: Date | null,
  now: Date,
): Promise<
  | { ok: true; key: ApiKey }
  | { ok: false; reason: "key_not_found" | "already_revoked" | "revoked_in_the_past" }
> {
  if (at !== null && at < now) return { ok: false, reason: "revoked_in_the_past" };
  const key = await lockKey(tx, id);
  if (key === null) return { ok: false, reason: "key_not_found" };
  if (key.revokedAt !== null && key.revokedAt <= now) return { ok: false, reason: "already_revoked" };
  const revokedAt = at ?? now;
  await setRevokedAt(tx, id, revokedAt);
  return { ok: true, key: { ...key, revokedAt } };
}

import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { createApiKey } from "./api-keys.ts";
import { keyEntry } from "./create-key.ts";
import { mayHaveKeys } from "./queries.ts";
import { isKeyActive } from "./rules.ts";
import { insertKey, lockKey, revokeKeysMadeBy, setRevokedAt } from "./store.ts";

/** Revokes a key now or at a future time. A future revocation can be changed, a past one cannot. */
export const revokeKey = defineVerb(
  "key.revoke",
  async (act, { id, at }: { readonly id: number; readonly at: Date | null }) => {
    const { tx, now, actor, merchantId, env } = act;
    if (at !== null && at < now) return refuse("revoked_in_the_past");
    const key = await lockKey(tx, { id, merchantId, env });
    if (key === null) return refuse("key_not_found");
    // A stolen key must not take the others away from the merchant.
    if (actor.kind === "key" && key.scope === "full" && actor.keyId !== id) return refuse("key_is_full");
    if (key.revokedAt !== null && key.revokedAt <= now) return refuse("already_revoked");
    const revoked = { ...key, revokedAt: at ?? now };
    await setRevokedAt(tx, id, revoked.revokedAt);
    return done({ key: revoked }, keyEntry(revoked));
  },
);

/**
 * Replaces an active key with a new one of the same environment, scope, permissions, name and maker. The old key works until
 * `oldUntil`, or until its own end if that is earlier. `apiKey` is shown here once and not stored.
 */
export const rotateKey = defineVerb(
  "key.rotate",
  async (
    act,
    {
      id,
      oldUntil,
      expiresAt,
    }: { readonly id: number; readonly oldUntil: Date; readonly expiresAt: Date | null },
  ) => {
    const { tx, now, merchantId, env } = act;
    if (expiresAt !== null && expiresAt <= now) return refuse("expires_in_the_past");
    // A removal of the key's maker comes before or after, as with createKey.
    await lockMerchant(tx, merchantId);
    const old = await lockKey(tx, { id, merchantId, env });
    if (old === null) return refuse("key_not_found");
    const { scope, permissions, origin, name, madeBy } = old;
    const isStaff = await mayHaveKeys(tx, { merchantId, madeBy });
    if (!isStaff || !isKeyActive(old, now)) return refuse("key_ended");
    const revokedAt = old.revokedAt !== null && old.revokedAt < oldUntil ? old.revokedAt : oldUntil;
    await setRevokedAt(tx, id, revokedAt);
    const { text, hash, last4 } = createApiKey(env);
    const kept = { merchantId, env, scope, permissions, origin, name, madeBy };
    const key = await insertKey(tx, { ...kept, expiresAt, hash, last4 }, now);
    const { subject, details } = keyEntry(key);
    const replaced = { old_key: id, old_until: revokedAt.toISOString() };
    return done(
      { key, apiKey: text, old: { ...old, revokedAt } },
      { subject, details: { ...details, ...replaced } },
    );
  },
);

/** Revokes what a person made at a merchant, when they leave. Returns how many keys. */
export function endKeysOf(
  tx: Tx,
  person: { readonly merchantId: number; readonly userId: number },
  now: Date,
): Promise<number> {
  return revokeKeysMadeBy(tx, person, now);
}

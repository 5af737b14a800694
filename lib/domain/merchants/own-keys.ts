import type { Env } from "#lib/chains/network-data.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { createApiKey } from "./api-keys.ts";
import { revokeKey } from "./manage-keys.ts";
import { listApiKeys, mayHaveKeys } from "./queries.ts";
import { isKeyActive } from "./rules.ts";
import { insertKey } from "./store.ts";
import type { ApiKey, KeyScope } from "./types.ts";

/** Active keys of a merchant in an environment. */
export const MAX_ACTIVE_KEYS = 50;

/** Who acts for a merchant, as the audit log names them: "user:3", "key:12". */
export interface ForMerchant {
  readonly actor: string;
  readonly merchantId: number;
  readonly env: Env;
}

/**
 * Creates a key for the merchant itself. `apiKey` is shown here once and not stored. `madeBy` is the person who asks, or who made the
 * key that asks: the new key can do at most what their role can.
 */
export async function createOwnKey(
  tx: Tx,
  { actor, merchantId, env, madeBy }: ForMerchant & Pick<ApiKey, "madeBy">,
  { scope, expiresAt }: { readonly scope: KeyScope; readonly expiresAt: Date | null },
  now: Date,
): Promise<
  | { readonly ok: true; readonly key: ApiKey; readonly apiKey: string }
  | { readonly ok: false; readonly reason: "expires_in_the_past" | "maker_removed" | "too_many_keys" }
> {
  if (expiresAt !== null && expiresAt <= now) return { ok: false, reason: "expires_in_the_past" };
  await lockMerchant(tx, merchantId);
  // A removal that came first has ended the keys that it saw: another one would live again when the person returns.
  if (!(await mayHaveKeys(tx, { merchantId, madeBy }))) return { ok: false, reason: "maker_removed" };
  const active = (await listApiKeys(tx, merchantId)).filter(
    (key) => key.env === env && isKeyActive(key, now),
  );
  if (active.length >= MAX_ACTIVE_KEYS) return { ok: false, reason: "too_many_keys" };
  const { text, hash, last4 } = createApiKey(env);
  const key = await insertKey(tx, { merchantId, env, scope, madeBy, expiresAt, hash, last4 }, now);
  const details = { env, scope, last4, expires_at: expiresAt?.toISOString() ?? null };
  await recordDecision(
    tx,
    { actor, action: "key.create", subject: `key:${key.id}`, merchantId, details },
    now,
  );
  return { ok: true, key, apiKey: text };
}

/** Revokes a key of the merchant in the environment, now. `byKey`: the key that asks for it, if a program does. */
export async function revokeOwnKey(
  tx: Tx,
  { actor, merchantId, env }: ForMerchant,
  { id, byKey }: { readonly id: number; readonly byKey?: number },
  now: Date,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: "key_not_found" | "key_is_full" }> {
  const own = (await listApiKeys(tx, merchantId)).find((key) => key.id === id && key.env === env);
  // A stolen key must not take the others away from the merchant.
  if (own?.scope === "full" && byKey !== undefined && byKey !== id)
    return { ok: false, reason: "key_is_full" };
  const revoked = own !== undefined ? await revokeKey(tx, id, null, now) : null;
  if (revoked === null || !revoked.ok) return { ok: false, reason: "key_not_found" };
  const { scope, last4 } = revoked.key;
  const entry = {
    actor,
    action: "key.revoke",
    subject: `key:${id}`,
    merchantId,
    details: { env, scope, last4 },
  };
  await recordDecision(tx, entry, now);
  return { ok: true };
}

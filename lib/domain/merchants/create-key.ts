import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { type Actor, GREENFIELD_SCOPE, type Grant, type KeyScope } from "#lib/domain/authority/types.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import { createApiKey } from "./api-keys.ts";
import { listApiKeys, mayHaveKeys } from "./queries.ts";
import { isKeyActive, MAX_ACTIVE_KEYS } from "./rules.ts";
import { insertKey } from "./store.ts";
import type { ApiKey } from "./types.ts";

/** In characters. */
export const MAX_KEY_NAME = 60;
/** One line of plain text, or nothing. */
const KEY_NAME = new RegExp(`^\\P{Cc}{0,${MAX_KEY_NAME}}$`, "u");

/** The rights of a new key: its scope, or the grant of a Greenfield key. */
type NewKeyRights =
  | { readonly scope: KeyScope; readonly grant?: undefined }
  | { readonly scope?: undefined; readonly grant: Grant };

/**
 * Creates a key of the act's environment. `apiKey` is shown here once and not stored. A key that a person makes, or a key of that person,
 * can do at most what their role can.
 */
export const createKey = defineVerb(
  "key.create",
  async (
    act,
    {
      expiresAt,
      name = "",
      ...given
    }: NewKeyRights & { readonly expiresAt: Date | null; readonly name?: string },
  ) => {
    if (!KEY_NAME.test(name)) return refuse("key_name_malformed");
    const { tx, now, merchantId, env } = act;
    const madeBy = makerOf(act.actor);
    if (expiresAt !== null && expiresAt <= now) return refuse("expires_in_the_past");
    await lockMerchant(tx, merchantId);
    // A removal that came first has ended the keys that it saw: another one would live again when the person returns.
    if (!(await mayHaveKeys(tx, { merchantId, madeBy }))) return refuse("maker_removed");
    const active = (await listApiKeys(tx, merchantId)).filter(
      (key) => key.env === env && isKeyActive(key, now),
    );
    if (active.length >= MAX_ACTIVE_KEYS) return refuse("too_many_keys");
    const { text, hash, last4 } = createApiKey(env);
    const rights = { scope: given.scope ?? GREENFIELD_SCOPE, ...given.grant } as const;
    const key = await insertKey(
      tx,
      { merchantId, env, ...rights, name, madeBy, expiresAt, hash, last4 },
      now,
    );
    return done({ key, apiKey: text }, keyEntry(key));
  },
);

/** The person to whom a new key belongs. null: the operator. */
function makerOf(actor: Actor): number | null {
  if (actor.kind === "person") return actor.userId;
  return actor.kind === "key" ? actor.madeBy : null;
}

/** The audit entry of a key. It never contains the key. */
export function keyEntry({ id, env, scope, permissions, origin, name, last4, expiresAt, revokedAt }: ApiKey) {
  const ends = { expires_at: expiresAt?.toISOString() ?? null, revoked_at: revokedAt?.toISOString() ?? null };
  return {
    subject: `key:${id}`,
    details: {
      env,
      scope,
      ...(permissions !== null && { permissions: permissions.join(" "), origin }),
      ...(name !== "" && { name }),
      last4,
      ...ends,
    },
  };
}

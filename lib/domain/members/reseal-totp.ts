import type { Tx } from "#lib/platform/db/connection.ts";
import { lockSealedTotp, updateSealedTotp } from "./store.ts";

const AT_ONCE = 500;

/**
 * Encrypts the secrets of all authenticator apps with the current SECRET_KEY, as resealSecrets does with those of webhooks.
 */
export async function resealTotpSecrets(
  tx: Tx,
  { reseal }: { reseal(sealed: Buffer): Buffer | null },
): Promise<
  | { readonly ok: true; readonly resealed: number; readonly secrets: number }
  | { readonly ok: false; readonly reason: "secret_unreadable" }
> {
  let [resealed, secrets, after] = [0, 0, 0];
  for (;;) {
    const rows = await lockSealedTotp(tx, after, AT_ONCE);
    const last = rows.at(-1);
    if (last === undefined) return { ok: true, resealed, secrets };
    after = last.id;
    let changed: { id: number; secret: Buffer }[];
    try {
      changed = rows.flatMap(({ id, secret }) => {
        const next = reseal(secret);
        return next === null ? [] : [{ id, secret: next }];
      });
    } catch {
      return { ok: false, reason: "secret_unreadable" };
    }
    secrets += rows.length;
    resealed += changed.length;
    await updateSealedTotp(tx, changed);
  }
}

import type { Tx } from "#lib/platform/db/connection.ts";
import { lockSealedSecrets, type SealedSecrets, updateSealedSecrets } from "./endpoint-store.ts";

const AT_ONCE = 500;

/**
 * Encrypts every webhook secret with the current SECRET_KEY if a previous one encrypted it. The secrets do
 * not change. Returns how many were encrypted again and how many there are. Refused if a secret opens with
 * none of the keys: the caller must roll back.
 */
export async function resealSecrets(
  tx: Tx,
  { reseal }: { reseal(sealed: Buffer): Buffer | null },
): Promise<
  | { readonly ok: true; readonly resealed: number; readonly secrets: number }
  | { readonly ok: false; readonly reason: "secret_unreadable" }
> {
  let [resealed, secrets, after] = [0, 0, 0];
  for (;;) {
    const rows = await lockSealedSecrets(tx, after, AT_ONCE);
    const last = rows.at(-1);
    if (last === undefined) return { ok: true, resealed, secrets };
    after = last.id;
    const changed: SealedSecrets[] = [];
    for (const { id, secret, previousSecret } of rows) {
      let next: { secret: Buffer | null; previousSecret: Buffer | null };
      try {
        next = { secret: reseal(secret), previousSecret: previousSecret && reseal(previousSecret) };
      } catch {
        return { ok: false, reason: "secret_unreadable" };
      }
      secrets += previousSecret === null ? 1 : 2;
      resealed += Number(next.secret !== null) + Number(next.previousSecret !== null);
      if (next.secret === null && next.previousSecret === null) continue;
      changed.push({
        id,
        secret: next.secret ?? secret,
        previousSecret: next.previousSecret ?? previousSecret,
      });
    }
    await updateSealedSecrets(tx, changed);
  }
}

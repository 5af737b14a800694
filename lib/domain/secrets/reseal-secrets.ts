import { users } from "#lib/domain/members/tables.ts";
import { webhookEndpoints } from "#lib/domain/webhooks/tables.ts";
import { refundClaims } from "#lib/domain/withdrawals/claims/tables.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import type { Secrets } from "#lib/platform/secrets.ts";
import { lockSealed, updateSealed } from "./store.ts";

const AT_ONCE = 500;
/** Every column that SECRET_KEY encrypts. */
const SEALED = [
  webhookEndpoints.secret,
  webhookEndpoints.previousSecret,
  users.totpSecret,
  refundClaims.sealedSecret,
] as const;

/**
 * Encrypts every stored secret with the current SECRET_KEY if a previous one encrypted it. The secrets do not change. Returns how many were
 * encrypted again and how many there are. Refused if a secret opens with none of the keys: the caller must roll back.
 */
export async function resealSecrets(
  tx: Tx,
  { reseal }: Pick<Secrets, "reseal">,
): Promise<
  | { readonly ok: true; readonly resealed: number; readonly secrets: number }
  | { readonly ok: false; readonly reason: "secret_unreadable" }
> {
  let [resealed, secrets] = [0, 0];
  for (const column of SEALED)
    for (let after = 0; ; ) {
      const rows = await lockSealed(tx, column, { after, limit: AT_ONCE });
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
      const changed: { id: number; secret: Buffer }[] = [];
      try {
        for (const { id, secret } of rows) {
          const next = reseal(secret);
          if (next !== null) changed.push({ id, secret: next });
        }
      } catch {
        return { ok: false, reason: "secret_unreadable" };
      }
      secrets += rows.length;
      resealed += changed.length;
      await updateSealed(tx, column, changed);
    }
  return { ok: true, resealed, secrets };
}

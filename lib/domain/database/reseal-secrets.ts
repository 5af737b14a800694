import { defineInstallationVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Secrets } from "#lib/platform/secrets.ts";
import { lockSealed, SEALED, type SealedRow, updateSealed } from "./store.ts";

const AT_ONCE = 500;

/**
 * Encrypts every stored secret with the current SECRET_KEY if a previous one encrypted it. The secrets do not change. Returns how many were
 * encrypted again and how many there are. Refused if a secret opens with none of the keys: the caller must roll back.
 */
export const resealSecrets = defineInstallationVerb(
  "secrets.reseal",
  async ({ tx }, { reseal }: Pick<Secrets, "reseal">) => {
    const counts = { resealed: 0, secrets: 0 };
    for (const column of SEALED)
      for (let after = 0; ; ) {
        const rows = await lockSealed(tx, column, { after, limit: AT_ONCE });
        const last = rows.at(-1);
        if (last === undefined) break;
        after = last.id;
        const changed = resealRows(rows, reseal);
        if (changed === null) return refuse("secret_unreadable");
        counts.secrets += rows.length;
        counts.resealed += changed.length;
        await updateSealed(tx, column, changed);
      }
    return done(counts, { subject: "secrets", details: counts });
  },
);

/** The rows that a previous key encrypted, encrypted again. null: a secret opens with none of the keys. */
function resealRows(rows: readonly SealedRow[], reseal: Secrets["reseal"]): SealedRow[] | null {
  try {
    return rows.flatMap(({ id, secret }) => {
      const next = reseal(secret);
      return next === null ? [] : { id, secret: next };
    });
  } catch {
    return null;
  }
}

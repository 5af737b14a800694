import type { Db } from "#lib/platform/db/connection.ts";
import type { Secrets } from "#lib/platform/secrets.ts";
import { findNewestSealed, SEALED } from "./store.ts";

/**
 * Tries to open the newest stored secret of each kind. Returns how many there were, and how many could not be opened: another
 * SECRET_KEY encrypted them.
 */
export async function checkSecrets(
  db: Db,
  { open }: Pick<Secrets, "open">,
): Promise<{ readonly secrets: number; readonly unreadable: number }> {
  const newest = await Promise.all(SEALED.map((column) => findNewestSealed(db, column)));
  const found = newest.filter((secret) => secret !== null);
  return { secrets: found.length, unreadable: found.filter((secret) => !opens(secret, open)).length };
}

function opens(secret: Buffer, open: Secrets["open"]): boolean {
  try {
    open(secret);
    return true;
  } catch {
    return false;
  }
}

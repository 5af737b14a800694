import type { Db } from "#lib/platform/db/connection.ts";
import { switchMails } from "./change-mail-settings.ts";
import { findMailByToken } from "./queries.ts";
import { insertMailStop } from "./settings-store.ts";

/**
 * Does what the unsubscribe address of a mail says: the payer gets no more receipts of this merchant, or the merchant no more
 * mails of this kind. Idempotent. Returns false if no mail has this token (it may have been deleted).
 */
export async function stopMails(db: Db, token: string, now: Date): Promise<boolean> {
  const mail = await findMailByToken(db, token);
  if (mail === null) return false;
  const { merchantId, env, kind, recipient } = mail;
  const owner = { merchantId, env };
  if (kind === "receipt") await insertMailStop(db, owner, recipient);
  else await db.transaction((tx) => switchMails(tx, owner, { off: [kind] }, now));
  return true;
}

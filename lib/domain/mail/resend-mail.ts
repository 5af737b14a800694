import type { Tx } from "#lib/platform/db/connection.ts";
import { updateMailDue } from "./store.ts";

/** Makes a failed mail due again, with the same Message-ID. */
export async function resendMail(
  tx: Tx,
  id: number,
  now: Date,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: "mail_not_failed" }> {
  return (await updateMailDue(tx, id, now)) ? { ok: true } : { ok: false, reason: "mail_not_failed" };
}

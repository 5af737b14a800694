import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { findMailByToken } from "./queries.ts";
import { defaultKinds, isMailAddress, startOfDay } from "./rules.ts";
import { insertMailStop, lockMailSettings, updateMailSettings } from "./settings-store.ts";
import { MAIL_KINDS, type MailOwner, type SwitchedKind } from "./types.ts";

export interface MailSettingsChange {
  readonly on?: readonly SwitchedKind[];
  readonly off?: readonly SwitchedKind[];
  /** The address of the notices. Null: the merchant's own. */
  readonly recipient?: string | null;
}

/** Switches kinds of mail of a merchant on and off, and sets where its mails go. */
export const changeMailSettings = defineVerb(
  "merchant.mail",
  async ({ tx, now, merchantId, env }, change: MailSettingsChange) => {
    const { on, off, recipient } = change;
    if (recipient != null && !isMailAddress(recipient)) return refuse("invalid_mailRecipient");
    await switchMails(tx, { merchantId, env }, change, now);
    const details = {
      env,
      ...(on !== undefined && { on: on.join(",") }),
      ...(off !== undefined && { off: off.join(",") }),
      ...(recipient !== undefined && { to: recipient }),
    };
    return done({}, { subject: `merchant:${merchantId}`, details });
  },
);

/** Stores which kinds of mail are on and where they go. The first digest is about the day on which it is switched on. */
async function switchMails(
  tx: Tx,
  owner: MailOwner,
  { on = [], off = [], recipient }: MailSettingsChange,
  now: Date,
): Promise<void> {
  const before = await lockMailSettings(tx, owner, defaultKinds(owner.env));
  const kinds = MAIL_KINDS.filter(
    (kind) => (before.kinds.includes(kind) || on.includes(kind)) && !off.includes(kind),
  );
  const startsDigest = kinds.includes("digest") && !before.kinds.includes("digest");
  const changed = {
    kinds,
    recipient: recipient === undefined ? before.recipient : recipient,
    digestedUntil: startsDigest ? startOfDay(now) : before.digestedUntil,
  };
  await updateMailSettings(tx, owner, changed, now);
}

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

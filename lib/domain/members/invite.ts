import type { Role } from "#lib/domain/authority/types.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import { enqueueInvitation } from "#lib/domain/mail/enqueue-invitation.ts";
import type { SecretSealer } from "#lib/domain/merchants/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { countOpenInvitations, hashToken, listMembers } from "./queries.ts";
import { INVITATION_LIFETIME_MS, MAX_MEMBERS, MAX_OPEN_INVITATIONS, readEmail } from "./rules.ts";
import { newToken } from "./sessions.ts";
import { insertInvitation } from "./store.ts";
import type { InvitationRow } from "./types.ts";

export type InviteRefusal = "invitation_email_malformed" | "already_a_member" | "too_many_members";

type Invited =
  | {
      readonly ok: true;
      readonly invitation: InvitationRow;
      readonly token: string;
      readonly isMailed: boolean;
    }
  | { readonly ok: false; readonly reason: InviteRefusal };

/**
 * Invites a person to work for a merchant, or without a merchant to be the operator. The token of the link is returned only
 * here. It works once, for INVITATION_LIFETIME_MS, and while `invitedBy` may invite (null: the operator invites with the command). With
 * `mailSealer`, which encrypts the token until then, a mail brings the link to a member: `isMailed`.
 */
export async function invite(
  tx: Tx,
  given: {
    readonly email: string;
    readonly invitedBy: number | null;
    readonly mailSealer?: SecretSealer | null;
  } & (
    | { readonly merchantId: number; readonly role: Role }
    | { readonly merchantId: null; readonly role: null }
  ),
  now: Date,
): Promise<Invited> {
  const email = readEmail(given.email);
  if (email === null) return { ok: false, reason: "invitation_email_malformed" };
  const { merchantId, role, invitedBy } = given;
  if (merchantId !== null) {
    await lockMerchant(tx, merchantId);
    const members = await listMembers(tx, merchantId);
    if (members.some((member) => member.email.toLowerCase() === email.toLowerCase()))
      return { ok: false, reason: "already_a_member" };
    const isFull =
      members.length >= MAX_MEMBERS ||
      (await countOpenInvitations(tx, merchantId, now)) >= MAX_OPEN_INVITATIONS;
    if (isFull) return { ok: false, reason: "too_many_members" };
  }
  const token = newToken();
  const invitation = await insertInvitation(tx, {
    merchantId,
    role,
    email,
    invitedBy,
    tokenHash: hashToken(token),
    expiresAt: new Date(now.getTime() + INVITATION_LIFETIME_MS),
    createdAt: now,
  });
  const isMailed =
    merchantId !== null && given.mailSealer
      ? await enqueueInvitation(tx, given.mailSealer, { ...invitation, merchantId, role, token }, now)
      : false;
  return { ok: true, invitation, token, isMailed };
}

/** The URL of an invitation's page. */
export function invitationUrl(consoleUrl: string, token: string): string {
  return `${consoleUrl}/join/${token}`;
}

/** The URL of an invitation whose token was encrypted for a mail; null: the console is off, or no key opens it. */
export function openInvitation(
  sealedToken: string,
  secrets: { open(sealed: Buffer): string },
  consoleUrl: string | null,
): string | null {
  if (consoleUrl === null) return null;
  try {
    return invitationUrl(consoleUrl, secrets.open(Buffer.from(sealedToken, "base64")));
  } catch {
    return null;
  }
}

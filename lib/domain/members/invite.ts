import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Role } from "#lib/domain/authority/types.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import { enqueueInvitation } from "#lib/domain/mail/enqueue-secret-mails.ts";
import { findMerchant } from "#lib/domain/merchants/queries.ts";
import type { SecretSealer } from "#lib/domain/merchants/types.ts";
import { countOpenInvitations, hashToken, listMembers } from "./queries.ts";
import { INVITATION_LIFETIME_MS, MAX_MEMBERS, MAX_OPEN_INVITATIONS, readEmail } from "./rules.ts";
import { newToken } from "./sessions.ts";
import { insertInvitation, revokeInvitationRow } from "./store.ts";

/**
 * Invites a person to work for the merchant. The token of the link is returned only here. It works once, for INVITATION_LIFETIME_MS, and
 * while the person who invites may invite. With `mailSealer`, which encrypts the token until then, a mail brings the link. An
 * invitation that no mail can bring is then refused: anyone who has the link signs up as the person.
 */
export const inviteMember = defineVerb(
  "member.invite",
  async (
    { tx, now, actor, merchantId },
    given: { readonly email: string; readonly role: Role; readonly mailSealer: SecretSealer | null },
  ) => {
    const { role, mailSealer } = given;
    const email = readEmail(given.email);
    if (email === null) return refuse("invitation_email_malformed");
    await lockMerchant(tx, merchantId);
    const members = await listMembers(tx, merchantId);
    if (members.some((member) => member.email.toLowerCase() === email.toLowerCase()))
      return refuse("already_a_member");
    const isFull =
      members.length >= MAX_MEMBERS ||
      (await countOpenInvitations(tx, merchantId, now)) >= MAX_OPEN_INVITATIONS;
    if (isFull) return refuse("too_many_members");
    const { token, row } = draftInvitation({ merchantId, role, email }, now);
    if (mailSealer !== null && !(await enqueueInvitation(tx, mailSealer, { ...row, token }, now))) {
      const isActive = (await findMerchant(tx, merchantId))?.status === "active";
      return refuse(isActive ? "invitation_not_mailed" : "merchant_disabled");
    }
    // Null for the operator with the command, whose invitations end by time alone.
    const invitedBy = actor.kind === "person" ? actor.userId : null;
    const invitation = await insertInvitation(tx, { ...row, invitedBy });
    const details = { invitation: invitation.id, email, role };
    return done({ invitation, token }, { subject: `merchant:${merchantId}`, details });
  },
);

/** Withdraws an open invitation. */
export const revokeInvitation = defineVerb(
  "member.revoke-invitation",
  async ({ tx, now, merchantId }, { id }: { readonly id: number }) => {
    const revoked = await revokeInvitationRow(tx, { merchantId, id }, now);
    if (revoked === null) return refuse("invitation_not_found");
    const details = { invitation: id, email: revoked.email };
    return done({}, { subject: `merchant:${merchantId}`, details });
  },
);

/** A new invitation as it is stored, and the token of its link. */
export function draftInvitation<Offer>(offer: Offer, now: Date) {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + INVITATION_LIFETIME_MS);
  return { token, row: { ...offer, tokenHash: hashToken(token), expiresAt, createdAt: now } };
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

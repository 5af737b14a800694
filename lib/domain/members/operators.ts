import { defineInstallationVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { draftInvitation } from "./invite.ts";
import { findUserByEmail } from "./queries.ts";
import { readEmail } from "./rules.ts";
import {
  deleteCredentials,
  deleteOtherSessions,
  insertInvitation,
  lockUser,
  revokeInvitationsOf,
  revokeResets,
  updateUser,
} from "./store.ts";

/** Invites a person to run the installation. The token of the link is returned only here. It works once, for INVITATION_LIFETIME_MS. */
export const addOperator = defineInstallationVerb(
  "console.operator-add",
  async ({ tx, now }, given: { readonly email: string }) => {
    const email = readEmail(given.email);
    if (email === null) return refuse("invitation_email_malformed");
    const { token, row } = draftInvitation({ email }, now);
    const invitation = await insertInvitation(tx, row);
    const details = { email, role: "operator" };
    return done({ invitation, token }, { subject: `invitation:${invitation.id}`, details });
  },
);

/**
 * Takes a person's rights as an operator away and ends their sessions. They stay a member where they are one. Open invitations to run the
 * installation end too, also for an address with which nobody has accepted one: `user` is null then.
 */
export const removeOperator = defineInstallationVerb(
  "console.operator-remove",
  async ({ tx, now }, { email }: { readonly email: string }) => {
    const earlier = await findUserByEmail(tx, email);
    if (earlier !== null) await lockUser(tx, earlier.id);
    const endedInvitations = await revokeInvitationsOf(tx, { merchantId: null, email }, now);
    // Somebody may have accepted one until it was locked.
    const found = await findUserByEmail(tx, email);
    const user = found?.isOperator === true ? found : null;
    if (user === null && endedInvitations === 0) return refuse("operator_not_found");
    if (user !== null) {
      await updateUser(tx, user.id, { isOperator: false });
      await deleteOtherSessions(tx, user.id, null);
    }
    const subject = user === null ? "console" : `user:${user.id}`;
    const details = { email, ...(endedInvitations > 0 && { ended_invitations: endedInvitations }) };
    return done({ user, endedInvitations }, { subject, details });
  },
);

/**
 * Takes every way to sign in away from a person: somebody else signed up with their address, or they have lost all of them. Their
 * sessions end. They sign up again with a link, whose token is returned only here, and then have what they had: memberships, the rights of
 * an operator, and keys.
 */
export const resetPerson = defineInstallationVerb(
  "console.person-reset",
  async ({ tx, now }, { email }: { readonly email: string }) => {
    const found = await findUserByEmail(tx, email);
    if (found === null) return refuse("person_not_found");
    const user = await lockUser(tx, found.id);
    await deleteCredentials(tx, user.id);
    await revokeResets(tx, user.id, now);
    const { token, row } = draftInvitation({ email: user.email, resetsUserId: user.id }, now);
    const invitation = await insertInvitation(tx, row);
    return done({ user, invitation, token }, { subject: `user:${user.id}`, details: { email } });
  },
);

import { defineInstallationVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { draftInvitation } from "./invite.ts";
import { findUserByEmail } from "./queries.ts";
import { deleteCredentials, insertInvitation, lockUser, revokeResets } from "./store.ts";

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

import { defineInstallationVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { draftInvitation } from "./invite.ts";
import { findUserByEmail } from "./queries.ts";
import { readEmail } from "./rules.ts";
import { deleteOtherSessions, insertInvitation, updateUser } from "./store.ts";

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

/** Takes a person's rights as an operator away and ends their sessions. They stay a member where they are one. */
export const removeOperator = defineInstallationVerb(
  "console.operator-remove",
  async ({ tx }, { email }: { readonly email: string }) => {
    const user = await findUserByEmail(tx, email);
    if (user === null || !user.isOperator) return refuse("operator_not_found");
    await updateUser(tx, user.id, { isOperator: false });
    await deleteOtherSessions(tx, user.id, null);
    return done({ user }, { subject: `user:${user.id}`, details: { email } });
  },
);

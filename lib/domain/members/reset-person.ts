import type { Tx } from "#lib/platform/db/connection.ts";
import { findUserByEmail, hashToken } from "./queries.ts";
import { INVITATION_LIFETIME_MS } from "./rules.ts";
import { newToken } from "./sessions.ts";
import { deleteCredentials, insertInvitation, lockUser, revokeResets } from "./store.ts";
import type { InvitationRow, UserRow } from "./types.ts";

/**
 * Takes every way to sign in away from a person: somebody else signed up with their address, or they have lost all of them. Their
 * sessions end. They sign up again with a link, whose token is returned only here, and then have what they had: memberships, the rights of
 * an operator, and keys.
 */
export async function resetPerson(
  tx: Tx,
  email: string,
  now: Date,
): Promise<
  | { readonly ok: true; readonly user: UserRow; readonly invitation: InvitationRow; readonly token: string }
  | { readonly ok: false; readonly reason: "person_not_found" }
> {
  const found = await findUserByEmail(tx, email);
  if (found === null) return { ok: false, reason: "person_not_found" };
  const user = await lockUser(tx, found.id);
  await deleteCredentials(tx, user.id);
  await revokeResets(tx, user.id, now);
  const token = newToken();
  const invitation = await insertInvitation(tx, {
    email: user.email,
    resetsUserId: user.id,
    tokenHash: hashToken(token),
    expiresAt: new Date(now.getTime() + INVITATION_LIFETIME_MS),
    createdAt: now,
  });
  return { ok: true, user, invitation, token };
}

import { createHmac, randomUUID } from "node:crypto";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { actorOf } from "#lib/domain/authority/actor.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { findTotpStep, totpSecretFrom } from "#lib/platform/one-time-codes.ts";
import { hashPassword } from "#lib/platform/passwords.ts";
import type { Secrets } from "#lib/platform/secrets.ts";
import { type Challenge, type Site, storePasskey, verifyRegistration } from "./passkeys.ts";
import { type PasswordRefusal, passwordRefusal } from "./password.ts";
import { findInvitation, hashToken } from "./queries.ts";
import { MAX_MEMBERS, readName } from "./rules.ts";
import { startSession } from "./sessions.ts";
import {
  acceptInvitationRow,
  insertMember,
  insertUser,
  lockForJoin,
  lockMembers,
  lockUser,
  revokeInvitationsOf,
  updateUser,
} from "./store.ts";
import type { Browser, InvitationRow, SignedIn } from "./types.ts";

export type JoinRefusal =
  | "invitation_ended"
  | "name_malformed"
  | PasswordRefusal
  | "passkey_refused"
  | "sign_in_first"
  | "wrong_person";

/** Signed up and in: the token of the session's cookie. */
type Joined =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly reason: JoinRefusal };

interface Person {
  /** The token of the invitation. */
  readonly invitation: string;
  readonly name: string;
  readonly browser: Browser;
}

/**
 * The secret that an invitation's page offers to an authenticator app. It is the same each time, so that a mistyped form does
 * not ask for another scan.
 */
export function invitationTotpSecret(secrets: Pick<Secrets, "derive">, invitation: string): string {
  return totpSecretFrom(createHmac("sha256", secrets.derive("invitation-totp")).update(invitation).digest());
}

/** Signs up by an invitation, with a password and an authenticator app. Throws PasswordsBusyError. */
export async function joinWithPassword(
  { db, secrets }: { readonly db: Db; readonly secrets: Pick<Secrets, "seal" | "derive"> },
  given: Person & { readonly password: string; readonly code: string },
  now: Date,
): Promise<Joined> {
  const { password, code } = given;
  const totpSecret = invitationTotpSecret(secrets, given.invitation);
  const totpStep = findTotpStep(totpSecret, code.replace(/\s/g, ""), now);
  // A hash is expensive: an invitation that has ended does not cause one.
  const invitation = await findInvitation(db, given.invitation, now);
  if (invitation === null) return { ok: false, reason: "invitation_ended" };
  const refusal = passwordRefusal(password, { email: invitation.email, totpStep });
  if (refusal !== null) return { ok: false, reason: refusal };
  const passwordHash = await hashPassword(password);
  return signUp(db, given, now, async (tx, userId) => {
    await updateUser(tx, userId, { passwordHash, totpSecret: secrets.seal(totpSecret), totpStep });
    return true;
  });
}

/** Signs up by an invitation, with a passkey. The challenge's handle becomes the person's. */
export async function joinWithPasskey(
  db: Db,
  site: Site,
  given: Person & { readonly challenge: Challenge; readonly answer: string },
  now: Date,
): Promise<Joined> {
  const { challenge } = given;
  const passkey = await verifyRegistration(site, given, now);
  if (passkey === null) return { ok: false, reason: "passkey_refused" };
  return signUp(db, { ...given, handle: challenge.handle }, now, async (tx, userId) => {
    const first = { userId, name: "First passkey", passkey, challenge };
    if (!(await storePasskey(tx, first, now))) return false;
    const person = actorOf(userId);
    const entry = { actor: person, action: "passkey.add", subject: person, details: { name: first.name } };
    await recordDecision(tx, entry, now);
    return true;
  });
}

/** Rolls the transaction of an invitation back. */
class JoinRefused extends Error {
  readonly reason: JoinRefusal;
  constructor(reason: JoinRefusal) {
    super(reason);
    this.reason = reason;
  }
}

/** Runs `work` in a transaction. A JoinRefused rolls it back and becomes a refusal. */
async function refusable<Done>(
  db: Db,
  work: (tx: Tx) => Promise<Done>,
): Promise<({ readonly ok: true } & Done) | { readonly ok: false; readonly reason: JoinRefusal }> {
  try {
    return { ok: true, ...(await db.transaction(work)) };
  } catch (error) {
    if (error instanceof JoinRefused) return { ok: false, reason: error.reason };
    throw error;
  }
}

async function signUp(
  db: Db,
  person: Person & { readonly handle?: string | null },
  now: Date,
  addCredential: (tx: Tx, userId: number) => Promise<boolean>,
): Promise<Joined> {
  const name = readName(person.name);
  if (name === null) return { ok: false, reason: "name_malformed" };
  const handle = person.handle ?? randomUUID();
  return refusable(db, async (tx) => {
    const tokenHash = hashToken(person.invitation);
    await lockForJoin(tx, tokenHash);
    const invitation = await acceptInvitationRow(tx, tokenHash, now);
    if (invitation === null) throw new JoinRefused("invitation_ended");
    const userId = await findOrInsertPerson(tx, invitation, { handle, name }, now);
    if (!(await addCredential(tx, userId))) throw new JoinRefused("passkey_refused");
    await grant(tx, invitation, userId, now);
    return { token: await startSession(tx, userId, person.browser, now) };
  });
}

/** The new person of an invitation, or the one whom the operator has reset. */
async function findOrInsertPerson(
  tx: Tx,
  { email, resetsUserId }: InvitationRow,
  given: { readonly handle: string; readonly name: string },
  now: Date,
): Promise<number> {
  if (resetsUserId !== null) {
    await updateUser(tx, resetsUserId, given);
    return resetsUserId;
  }
  const user = await insertUser(tx, { ...given, email, createdAt: now });
  if (user === null) throw new JoinRefused("sign_in_first");
  return user.id;
}

/** Accepts an invitation as a person who has signed up before and is signed in. */
export async function joinSignedIn(
  db: Db,
  { invitation: token, signedIn }: { readonly invitation: string; readonly signedIn: SignedIn },
  now: Date,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: JoinRefusal }> {
  const invitation = await findInvitation(db, token, now);
  if (invitation === null || invitation.isReset) return { ok: false, reason: "invitation_ended" };
  if (invitation.email.toLowerCase() !== signedIn.email.toLowerCase())
    return { ok: false, reason: "wrong_person" };
  return refusable(db, async (tx) => {
    await lockUser(tx, signedIn.userId);
    const tokenHash = hashToken(token);
    await lockForJoin(tx, tokenHash);
    const accepted = await acceptInvitationRow(tx, tokenHash, now);
    if (accepted === null) throw new JoinRefused("invitation_ended");
    await grant(tx, accepted, signedIn.userId, now);
    return {};
  });
}

/** Gives a person what their invitation offers, and ends the others to the same. A person who was reset has everything already. */
async function grant(
  tx: Tx,
  { merchantId, role, email, id, resetsUserId }: InvitationRow,
  userId: number,
  now: Date,
): Promise<void> {
  const actor = actorOf(userId);
  if (resetsUserId !== null) {
    const details = { invitation: id };
    return recordDecision(tx, { actor, action: "member.sign-up-again", subject: actor, details }, now);
  }
  if (merchantId === null || role === null) await updateUser(tx, userId, { isOperator: true });
  else {
    if ((await lockMembers(tx, merchantId)).length >= MAX_MEMBERS) throw new JoinRefused("invitation_ended");
    await insertMember(tx, { merchantId, userId, role });
  }
  await revokeInvitationsOf(tx, { merchantId, email }, now);
  const details = { invitation: id, role: role ?? "operator" };
  const subject = merchantId === null ? actor : `merchant:${merchantId}`;
  const entry = { actor, action: "member.join", subject, details };
  await recordDecision(tx, { ...entry, ...(merchantId !== null && { merchantId }) }, now);
}

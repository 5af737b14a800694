"use server";

import { redirect } from "next/navigation";
import {
  addPasskey,
  removePasskey,
  startRegistration,
  verifyRegistration,
} from "#lib/domain/members/passkeys.ts";
import { changePassword, issueRecoveryCodes, preparePassword } from "#lib/domain/members/password.ts";
import { getUser, listPasskeys } from "#lib/domain/members/queries.ts";
import { readName } from "#lib/domain/members/rules.ts";
import { endOtherSessions, endSession } from "#lib/domain/members/sessions.ts";
import { PasswordsBusyError } from "#lib/platform/passwords.ts";
import { getServices } from "#lib/web/services.ts";
import { readId } from "../read-id.ts";
import {
  consoleSite,
  endAt,
  fieldsOf,
  forgetSession,
  keepChallenge,
  performOwn,
  readBrowser,
  readChallenge,
  readSignedIn,
  requireRecent,
  requireSignedIn,
} from "../session.ts";

const ACCOUNT = "/console/account";
const end = endAt.bind(null, ACCOUNT);

/** The person, for what is prepared before the verb that asks again. */
async function requireRecentPerson() {
  const signedIn = await requireSignedIn();
  requireRecent(signedIn, ACCOUNT);
  return signedIn;
}

/** Called by the passkey button: what the browser must sign. */
export async function startPasskey(_posted: FormData) {
  const { userId } = await requireRecentPerson();
  const { db } = getServices().database;
  const { handle, email, name } = await getUser(db, userId);
  const person = { handle, email, name, known: await listPasskeys(db, userId) };
  const { options, challenge } = await startRegistration(consoleSite(), person, new Date());
  await keepChallenge(challenge);
  return { kind: "create", options: JSON.stringify(options) } as const;
}

/** Called by the passkey button with the browser's answer. */
export async function finishPasskey(posted: FormData) {
  await requireRecentPerson();
  const read = fieldsOf(posted);
  const challenge = await readChallenge();
  const given = challenge && { challenge, answer: read("answer") };
  const passkey = given && (await verifyRegistration(consoleSite(), given, new Date()));
  if (challenge === null || passkey === null) return { notice: "passkey_refused" } as const;
  const name = readName(read("name")) ?? "Passkey";
  const added = await performOwn(addPasskey, ACCOUNT, { name, passkey, challenge });
  if (!added.ok) return { notice: added.reason };
  redirect(`${ACCOUNT}?notice=passkey_added`);
}

/** Form action: remove a passkey. */
export async function dropPasskey(posted: FormData): Promise<void> {
  const id = readId(fieldsOf(posted)("passkey")) ?? 0;
  end(await performOwn(removePasskey, ACCOUNT, { id }));
}

/** Called by the button of the recovery codes, which shows them once. */
export async function makeRecoveryCodes(_posted: FormData): Promise<readonly string[]> {
  const issued = await performOwn(issueRecoveryCodes, ACCOUNT, null);
  return issued.ok ? issued.codes : issued.reason;
}

/** Form action: a new password, and a new secret of the authenticator app. */
export async function replacePassword(posted: FormData): Promise<void> {
  const { userId } = await requireRecentPerson();
  const read = fieldsOf(posted);
  const { database, secrets, signInTries } = getServices();
  if (!signInTries.admit((await readBrowser()).ip)) return end({ ok: false, reason: "too_many_tries" });
  const given = { userId, password: read("password"), code: read("code") };
  const deps = { db: database.db, secrets };
  const ready = await preparePassword(deps, given, new Date()).catch((error) => {
    if (error instanceof PasswordsBusyError) return { ok: false, reason: "busy" } as const;
    throw error;
  });
  if (!ready.ok) return end(ready);
  end(await performOwn(changePassword, ACCOUNT, ready.prepared), "password_changed");
}

/** Form action: end one of the person's sessions, at once. */
export async function signOutSession(posted: FormData): Promise<void> {
  const id = readId(fieldsOf(posted)("session")) ?? 0;
  end(await performOwn(endSession, ACCOUNT, { id }));
}

/** Form action: end every session of the person but this one. */
export async function signOutOthers(_posted: FormData): Promise<void> {
  end(await performOwn(endOtherSessions, ACCOUNT, null));
}

/** Form action: sign out. */
export async function signOut(_posted: FormData): Promise<void> {
  const signedIn = await readSignedIn();
  // A session that has ended in the meantime is no reason to stay.
  if (signedIn !== null) await performOwn(endSession, ACCOUNT, { id: signedIn.sessionId });
  await forgetSession();
  redirect("/console/sign-in?notice=signed_out");
}

"use server";

import { redirect } from "next/navigation";
import { changePassword } from "#lib/domain/members/change-password.ts";
import {
  addPasskey,
  removePasskey,
  startRegistration,
  verifyRegistration,
} from "#lib/domain/members/passkeys.ts";
import { getUser, listPasskeys } from "#lib/domain/members/queries.ts";
import { issueRecoveryCodes } from "#lib/domain/members/recovery-codes.ts";
import { readName } from "#lib/domain/members/rules.ts";
import { endOtherSessions, endSession } from "#lib/domain/members/sessions.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { PasswordsBusyError } from "#lib/platform/passwords.ts";
import { getServices } from "#lib/web/services.ts";
import {
  consoleSite,
  fieldsOf,
  forgetSession,
  keepChallenge,
  readBrowser,
  readChallenge,
  readSignedIn,
  requireRecent,
  requireSignedIn,
} from "../session.ts";

const ACCOUNT = "/console/account";

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
  const { userId, sessionId } = await requireRecentPerson();
  const read = fieldsOf(posted);
  const { db } = getServices().database;
  const now = new Date();
  const challenge = await readChallenge();
  const { handle } = await getUser(db, userId);
  const given =
    challenge !== null && challenge.handle === handle ? { challenge, answer: read("answer") } : null;
  const passkey = given && (await verifyRegistration(consoleSite(), given, now));
  if (given === null || passkey === null) return { notice: "passkey_refused" } as const;
  const name = readName(read("name")) ?? "Passkey";
  const isAdded = await db.transaction((tx) =>
    addPasskey(tx, { userId, sessionId, name, passkey, challenge: given.challenge }, now),
  );
  if (!isAdded) return { notice: "passkey_refused" } as const;
  redirect(`${ACCOUNT}?notice=passkey_added`);
}

/** Form action: remove a passkey. */
export async function dropPasskey(posted: FormData): Promise<void> {
  const { userId } = await requireRecentPerson();
  const id = Number(fieldsOf(posted)("passkey"));
  const isRemoved =
    Number.isSafeInteger(id) &&
    (await getServices().database.db.transaction((tx) => removePasskey(tx, { userId, id }, new Date())));
  redirect(isRemoved ? ACCOUNT : `${ACCOUNT}?notice=passkey_last`);
}

/** Called by the button of the recovery codes, which shows them once. */
export async function makeRecoveryCodes(_posted: FormData): Promise<readonly string[]> {
  const signedIn = await requireRecentPerson();
  const issue = (tx: Tx) => issueRecoveryCodes(tx, signedIn, new Date());
  return (await getServices().database.db.transaction(issue)) ?? redirect("/console/sign-in");
}

/** Form action: a new password, and a new secret of the authenticator app. */
export async function replacePassword(posted: FormData): Promise<void> {
  const signedIn = await requireRecentPerson();
  const read = fieldsOf(posted);
  const { database, secrets, signInTries } = getServices();
  const back = (notice: string) => redirect(`${ACCOUNT}?notice=${notice}`);
  if (!signInTries.admit((await readBrowser()).ip)) return back("too_many_tries");
  const given = { signedIn, password: read("password"), code: read("code") };
  const changed = await changePassword({ db: database.db, secrets }, given, new Date()).catch((error) => {
    if (error instanceof PasswordsBusyError) return { ok: false, reason: "busy" } as const;
    throw error;
  });
  back(changed.ok ? "password_changed" : changed.reason);
}

/** Form action: end one of the person's sessions, at once. */
export async function signOutSession(posted: FormData): Promise<void> {
  const { userId } = await requireSignedIn();
  const id = Number(fieldsOf(posted)("session"));
  if (Number.isSafeInteger(id)) await endSession(getServices().database.db, { userId, id }, new Date());
  redirect(ACCOUNT);
}

/** Form action: end every session of the person but this one. */
export async function signOutOthers(_posted: FormData): Promise<void> {
  await endOtherSessions(getServices().database.db, await requireSignedIn(), new Date());
  redirect(ACCOUNT);
}

/** Form action: sign out. */
export async function signOut(_posted: FormData): Promise<void> {
  const signedIn = await readSignedIn();
  if (signedIn !== null) {
    const { userId, sessionId: id } = signedIn;
    await endSession(getServices().database.db, { userId, id }, new Date());
  }
  await forgetSession();
  redirect("/console/sign-in?notice=signed_out");
}

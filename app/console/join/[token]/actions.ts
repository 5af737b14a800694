"use server";

import { randomUUID } from "node:crypto";
import { redirect } from "next/navigation";
import {
  consoleSite,
  fieldsOf,
  keepChallenge,
  keepSession,
  readBrowser,
  readChallenge,
  requireSignedIn,
} from "#app/console/session.ts";
import { joinSignedIn, joinWithPasskey, joinWithPassword } from "#lib/domain/members/join.ts";
import { startRegistration } from "#lib/domain/members/passkeys.ts";
import { findInvitation } from "#lib/domain/members/queries.ts";
import { readName } from "#lib/domain/members/rules.ts";
import { PasswordsBusyError } from "#lib/platform/passwords.ts";
import { getServices } from "#lib/web/services.ts";

const MAX_TOKEN = 43;

function readInvitation(posted: FormData): string {
  return fieldsOf(posted)("invitation").slice(0, MAX_TOKEN);
}

/** Called by the passkey button: what the browser must sign. */
export async function startPasskey(posted: FormData) {
  await readBrowser();
  const invitation = await findInvitation(getServices().database.db, readInvitation(posted), new Date());
  if (invitation === null) return { notice: "invitation_ended" } as const;
  const name = readName(fieldsOf(posted)("name"));
  if (name === null) return { notice: "name_malformed" } as const;
  const person = { handle: randomUUID(), email: invitation.email, name, known: [] };
  const { options, challenge } = await startRegistration(consoleSite(), person, new Date());
  await keepChallenge(challenge);
  return { kind: "create", options: JSON.stringify(options) } as const;
}

/** Called by the passkey button with the browser's answer. Signs up and in. */
export async function finishPasskey(posted: FormData) {
  const read = fieldsOf(posted);
  const challenge = await readChallenge();
  if (challenge === null) return { notice: "passkey_refused" } as const;
  const person = { invitation: readInvitation(posted), name: read("name"), browser: await readBrowser() };
  const given = { ...person, challenge, answer: read("answer") };
  const joined = await joinWithPasskey(getServices().database.db, consoleSite(), given, new Date());
  if (!joined.ok) return { notice: joined.reason };
  await keepSession(joined.token);
  redirect("/console/account");
}

/** Form action: sign up with a password and an authenticator app. */
export async function join(posted: FormData): Promise<void> {
  const read = fieldsOf(posted);
  const { database, secrets, signInTries } = getServices();
  const invitation = readInvitation(posted);
  const browser = await readBrowser();
  const refuse = (notice: string) =>
    redirect(`/console/join/${encodeURIComponent(invitation)}?notice=${notice}`);
  if (!signInTries.admit(browser.ip)) return refuse("too_many_tries");
  const given = {
    invitation,
    name: read("name"),
    browser,
    password: read("password"),
    code: read("code"),
  };
  const joined = await joinWithPassword({ db: database.db, secrets }, given, new Date()).catch((error) => {
    if (error instanceof PasswordsBusyError) return { ok: false, reason: "busy" } as const;
    throw error;
  });
  if (!joined.ok) return refuse(joined.reason);
  await keepSession(joined.token);
  redirect("/console/account");
}

/** Form action: accept the invitation as who is signed in. */
export async function joinAsMyself(posted: FormData): Promise<void> {
  const signedIn = await requireSignedIn();
  const invitation = readInvitation(posted);
  const joined = await joinSignedIn(getServices().database.db, { invitation, signedIn }, new Date());
  if (!joined.ok) redirect(`/console/join/${encodeURIComponent(invitation)}?notice=${joined.reason}`);
  redirect("/console");
}

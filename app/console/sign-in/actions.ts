"use server";

import { redirect } from "next/navigation";
import type { NoticeCode } from "#components/console/notices.ts";
import { signInWithPasskey, startPasskeySignIn } from "#lib/domain/members/passkeys.ts";
import { MAX_PASSWORD } from "#lib/domain/members/rules.ts";
import { confirmWithCode, signInWithPassword } from "#lib/domain/members/sign-in.ts";
import { PasswordsBusyError } from "#lib/platform/passwords.ts";
import { getServices } from "#lib/web/services.ts";
import { keepDraft } from "../draft.ts";
import {
  consoleSite,
  fieldsOf,
  keepChallenge,
  keepSession,
  readBackPath,
  readBrowser,
  readChallenge,
  requireSignedIn,
  signInPath,
} from "../session.ts";

/** Form action: sign in with a password and a code. Every refusal looks the same. */
export async function signIn(posted: FormData): Promise<void> {
  const read = fieldsOf(posted);
  const { database, secrets, signInTries } = getServices();
  const browser = await readBrowser();
  const refuse = async (notice: NoticeCode) => {
    await keepDraft("/console/sign-in", { email: read("email") });
    redirect(signInPath(read("back"), { notice }));
  };
  if (!signInTries.admit(browser.ip)) return refuse("too_many_tries");
  const given = {
    email: read("email"),
    password: read("password").slice(0, MAX_PASSWORD),
    code: read("code"),
    browser,
  };
  const token = await signInWithPassword({ db: database.db, secrets }, given, new Date()).catch(busy);
  if (token === "busy") return refuse("busy");
  if (token === null) return refuse("wrong_sign_in");
  await keepSession(token);
  redirect(readBackPath(read("back")));
}

function busy(error: unknown): "busy" {
  if (error instanceof PasswordsBusyError) return "busy";
  throw error;
}

/** Called by the passkey button: what the browser must sign. */
export async function startPasskey(_posted: FormData) {
  await readBrowser();
  const { options, challenge } = await startPasskeySignIn(consoleSite(), new Date());
  await keepChallenge(challenge);
  return { kind: "get", options: JSON.stringify(options) } as const;
}

/** Called by the passkey button with the browser's answer. Returns a notice, or leads to the page that was asked for. */
export async function finishPasskey(posted: FormData) {
  const token = await verifyPasskey(posted, null);
  if (typeof token !== "object") return { notice: token };
  await keepSession(token.token);
  redirect(readBackPath(fieldsOf(posted)("back")));
}

/** The same for a person who is signed in and proves again who they are. */
export async function confirmPasskey(posted: FormData) {
  const signedIn = await requireSignedIn();
  const token = await verifyPasskey(posted, signedIn);
  if (typeof token !== "object") return { notice: token };
  await keepSession(token.token);
  redirect(readBackPath(fieldsOf(posted)("back")));
}

async function verifyPasskey(
  posted: FormData,
  signedIn: Parameters<typeof signInWithPasskey>[2]["signedIn"],
) {
  const { database, signInTries } = getServices();
  const browser = await readBrowser();
  if (!signInTries.admit(browser.ip)) return "too_many_tries" as const;
  const challenge = await readChallenge();
  const given = challenge && { challenge, answer: fieldsOf(posted)("answer"), browser, signedIn };
  const token = given && (await signInWithPasskey(database.db, consoleSite(), given, new Date()));
  if (token !== null) return { token };
  // The answer before was lost, and a browser may send the same proof again by itself.
  return signedIn?.isFormer ? ("no_answer" as const) : ("wrong_passkey" as const);
}

/** Form action: prove again who is signed in, with a code. */
export async function confirmCode(posted: FormData): Promise<void> {
  const read = fieldsOf(posted);
  const signedIn = await requireSignedIn();
  const back = readBackPath(read("back"));
  const { database, secrets, signInTries } = getServices();
  const refuse = (notice: string) => redirect(`/console/confirm?${new URLSearchParams({ back, notice })}`);
  if (!signInTries.admit((await readBrowser()).ip)) return refuse("too_many_tries");
  const token = await confirmWithCode(
    { db: database.db, secrets },
    { signedIn, code: read("code") },
    new Date(),
  );
  if (token === null) return refuse("wrong_code");
  await keepSession(token);
  redirect(back);
}

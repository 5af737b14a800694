import { createHmac, randomBytes } from "node:crypto";
import { defineOwnVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { findTotpStep, totpSecretFrom } from "#lib/platform/one-time-codes.ts";
import { hashPassword } from "#lib/platform/passwords.ts";
import type { Secrets } from "#lib/platform/secrets.ts";
import { formatTypedCode } from "#lib/platform/typed-codes.ts";
import { isGuessable } from "./guessable-rules.ts";
import { getUser, hashToken } from "./queries.ts";
import { isPasswordLongEnough, RECOVERY_CODES } from "./rules.ts";
import {
  deleteOtherSessions,
  deleteRecoveryCodes,
  lockSignedIn,
  replaceRecoveryCodes,
  updateUser,
} from "./store.ts";
import type { UserRow } from "./types.ts";

export type PasswordRefusal = "password_too_short" | "password_guessable" | "wrong_code";

/**
 * Why a person cannot have this password and authenticator app. Null: they can. `totpStep`: the step of the app's code, or null for a wrong
 * one. An estimate of a password takes the event loop for long, so a wrong code does not cause one.
 */
export function passwordRefusal(
  password: string,
  { email, totpStep }: { readonly email: string; readonly totpStep: number | null },
): PasswordRefusal | null {
  if (!isPasswordLongEnough(password)) return "password_too_short";
  if (totpStep === null) return "wrong_code";
  return isGuessable(password, email) ? "password_guessable" : null;
}

/** The secret that a person's page offers to an authenticator app. It is the same each time, until the password is changed. */
export function nextTotpSecret(
  secrets: Pick<Secrets, "derive">,
  { id, handle, passwordHash }: Pick<UserRow, "id" | "handle" | "passwordHash">,
): string {
  const text = JSON.stringify([id, handle, passwordHash]);
  return totpSecretFrom(createHmac("sha256", secrets.derive("account-totp")).update(text).digest());
}

/** A new password and a new secret of the authenticator app, whose code was right, ready to be stored. */
export interface NewPassword extends Pick<UserRow, "passwordHash" | "totpSecret" | "totpStep"> {
  /** The hash of the password before. null: there was none. */
  readonly formerHash: string | null;
}

/** Checks and hashes a password, which takes long and so is done before the transaction that stores it. Throws PasswordsBusyError. */
export async function preparePassword(
  { db, secrets }: { readonly db: Db; readonly secrets: Pick<Secrets, "seal" | "derive"> },
  given: { readonly userId: number; readonly password: string; readonly code: string },
  now: Date,
): Promise<
  | { readonly ok: true; readonly prepared: NewPassword }
  | { readonly ok: false; readonly reason: PasswordRefusal }
> {
  const { userId, password, code } = given;
  const user = await getUser(db, userId);
  const secret = nextTotpSecret(secrets, user);
  const totpStep = findTotpStep(secret, code.replace(/\s/g, ""), now);
  const refusal = passwordRefusal(password, { email: user.email, totpStep });
  if (refusal !== null) return refuse(refusal);
  const passwordHash = await hashPassword(password);
  const totpSecret = secrets.seal(secret);
  return { ok: true, prepared: { passwordHash, totpSecret, totpStep, formerHash: user.passwordHash } };
}

/**
 * Gives a person a new password and a new secret of their authenticator app. Their other sessions end, and recovery codes of the app
 * before work no longer.
 */
export const changePassword = defineOwnVerb(
  "password.change",
  async ({ tx, actor: { userId }, sessionId }, { formerHash, ...credentials }: NewPassword) => {
    const user = await lockSignedIn(tx, { userId, sessionId });
    if (user === null) return refuse("session_ended");
    // The password was changed in the meantime: the app has another secret now.
    if (user.passwordHash !== formerHash) return refuse("wrong_code");
    await updateUser(tx, userId, { ...credentials, failures: 0, lockedUntil: null });
    await deleteOtherSessions(tx, userId, sessionId);
    await deleteRecoveryCodes(tx, userId);
    return done({}, { subject: `user:${userId}`, details: {} });
  },
);

/** Gives a person new recovery codes. They are returned only here; those before work no longer. */
export const issueRecoveryCodes = defineOwnVerb(
  "recovery-codes.issue",
  async ({ tx, actor: { userId }, sessionId }) => {
    if ((await lockSignedIn(tx, { userId, sessionId })) === null) return refuse("session_ended");
    const codes = Array.from({ length: RECOVERY_CODES }, () => formatTypedCode(randomBytes(12)));
    const hashes = codes.map((code) => hashToken(code.replaceAll("-", "")));
    await replaceRecoveryCodes(tx, userId, hashes);
    return done({ codes }, { subject: `user:${userId}`, details: {} });
  },
);

import { createHmac } from "node:crypto";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { findTotpStep, totpSecretFrom } from "#lib/platform/one-time-codes.ts";
import { hashPassword } from "#lib/platform/passwords.ts";
import type { Secrets } from "#lib/platform/secrets.ts";
import { isGuessable } from "./guessable-rules.ts";
import { ownEntry } from "./own-entry.ts";
import { getUser } from "./queries.ts";
import { isPasswordLongEnough } from "./rules.ts";
import { deleteOtherSessions, deleteRecoveryCodes, lockSignedIn, updateUser } from "./store.ts";
import type { SignedIn, UserRow } from "./types.ts";

export type PasswordRefusal = "password_too_short" | "password_guessable" | "wrong_code";

/** Why a password is not accepted. null: it is. */
export function passwordRefusal(
  password: string,
  email: string,
): "password_too_short" | "password_guessable" | null {
  if (!isPasswordLongEnough(password)) return "password_too_short";
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

/**
 * Gives a signed-in person a new password and a new secret of their authenticator app, whose code they enter. Their other sessions
 * end, and recovery codes of the app before work no longer. Throws PasswordsBusyError.
 */
export async function changePassword(
  { db, secrets }: { readonly db: Db; readonly secrets: Pick<Secrets, "seal" | "derive"> },
  given: { readonly signedIn: SignedIn; readonly password: string; readonly code: string },
  now: Date,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: PasswordRefusal }> {
  const { signedIn, password, code } = given;
  const { userId, sessionId, email } = signedIn;
  const refusal = passwordRefusal(password, email);
  if (refusal !== null) return { ok: false, reason: refusal };
  const user = await getUser(db, userId);
  const secret = nextTotpSecret(secrets, user);
  const totpStep = findTotpStep(secret, code.replace(/\s/g, ""), now);
  if (totpStep === null) return { ok: false, reason: "wrong_code" };
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    // The session ended, or the password was changed in the meantime: the app has another secret now.
    const locked = await lockSignedIn(tx, signedIn);
    if (locked?.passwordHash !== user.passwordHash) return { ok: false, reason: "wrong_code" } as const;
    const totpSecret = secrets.seal(secret);
    const changes = { passwordHash, totpSecret, totpStep, failures: 0, lockedUntil: null };
    await updateUser(tx, userId, changes);
    await deleteOtherSessions(tx, userId, sessionId);
    await deleteRecoveryCodes(tx, userId);
    await recordDecision(tx, ownEntry(userId, "password.change", {}), now);
    return { ok: true } as const;
  });
}

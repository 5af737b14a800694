import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { findTotpStep } from "#lib/platform/one-time-codes.ts";
import { type PasswordCost, verifyPassword } from "#lib/platform/passwords.ts";
import type { Secrets } from "#lib/platform/secrets.ts";
import { readTypedCode } from "#lib/platform/typed-codes.ts";
import { ownEntry } from "./own-entry.ts";
import { findUserByEmail, hashToken } from "./queries.ts";
import { isLocked, readEmail } from "./rules.ts";
import { renewToken, startSession } from "./sessions.ts";
import { clearFailures, countFailure, deleteRecoveryCode, lockUser } from "./store.ts";
import type { Browser, SignedIn, UserRow } from "./types.ts";

type Deps = { readonly db: Db; readonly secrets: Pick<Secrets, "open"> };
/** The id of no user: a failure of an unknown e-mail address costs the same work. */
const NOBODY = -1;

/**
 * Signs in with a password and a code of the authenticator app or a recovery code. Returns the token of the session's cookie.
 * null if any of them is wrong, or if the account is locked: nobody learns which, or whether the account exists.
 * Throws PasswordsBusyError.
 */
export async function signInWithPassword(
  { db, secrets, passwordCost }: Deps & { readonly passwordCost?: PasswordCost },
  given: {
    readonly email: string;
    readonly password: string;
    readonly code: string;
    readonly browser: Browser;
  },
  now: Date,
): Promise<string | null> {
  const { email, password, code, browser } = given;
  const known = readEmail(email);
  const user = known === null ? null : await findUserByEmail(db, known);
  const isRight = await verifyPassword(password, user?.passwordHash ?? null, passwordCost);
  const token = !isRight || user === null ? null : await db.transaction((tx) => finish(tx, user));
  if (token === null) await countFailure(db, user?.id ?? NOBODY, now);
  return token;

  async function finish(tx: Tx, user: UserRow): Promise<string | null> {
    const proof = await proveWithCode(tx, secrets, { userId: user.id, code }, now);
    if (proof === null) return null;
    await recordDecision(tx, ownEntry(user.id, "session.start", { proof }), now);
    return startSession(tx, user.id, browser, now);
  }
}

/** What proved who a person is. */
type Proof = "totp" | "recovery code";

async function proveWithCode(
  tx: Tx,
  secrets: Pick<Secrets, "open">,
  { userId, code }: { readonly userId: number; readonly code: string },
  now: Date,
): Promise<Proof | null> {
  const user = await lockUser(tx, userId);
  if (isLocked(user, now) || user.totpSecret === null) return null;
  const step = findTotpStep(secrets.open(user.totpSecret), code.replace(/\s/g, ""), now);
  if (step !== null) {
    if (user.totpStep !== null && step <= user.totpStep) return null;
    await clearFailures(tx, userId, step);
    return "totp";
  }
  const recovery = readTypedCode(code);
  if (recovery === null || !(await deleteRecoveryCode(tx, userId, hashToken(recovery)))) return null;
  await clearFailures(tx, userId, user.totpStep);
  return "recovery code";
}

/**
 * Proves again who a signed-in person is, with a code. Returns the session's new token; null for a wrong code or a locked
 * account.
 */
export async function confirmWithCode(
  { db, secrets }: Deps,
  { signedIn, code }: { readonly signedIn: SignedIn; readonly code: string },
  now: Date,
): Promise<string | null> {
  const { userId } = signedIn;
  const token = await db.transaction(async (tx) => {
    const proof = await proveWithCode(tx, secrets, { userId, code }, now);
    return proof === null ? null : renewToken(tx, signedIn, now);
  });
  if (token === null) await countFailure(db, userId, now);
  return token;
}

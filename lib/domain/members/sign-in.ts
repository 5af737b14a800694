import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { findTotpStep } from "#lib/platform/one-time-codes.ts";
import { type PasswordCost, verifyPassword } from "#lib/platform/passwords.ts";
import type { Secrets } from "#lib/platform/secrets.ts";
import { readTypedCode } from "#lib/platform/typed-codes.ts";
import { findUserByEmail, hashToken } from "./queries.ts";
import { isLocked, readEmail } from "./rules.ts";
import { recordSignIn, renewToken } from "./sessions.ts";
import { clearFailures, countFailure, deleteRecoveryCode, findAndLockUser } from "./store.ts";
import type { Browser, SignedIn, UserRow } from "./types.ts";

type Deps = { readonly db: Db; readonly secrets: Pick<Secrets, "open"> };
/** The id of no user: a failure of an unknown e-mail address costs the same work. */
const NOBODY = -1;

/**
 * Signs in with a password and a code of the authenticator app or a recovery code. Returns the token of the session's cookie.
 * The token is null if any of them is wrong, or if the account is locked: nobody learns which, or whether the account exists.
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
  const userId = user?.id ?? NOBODY;
  return db.transaction(async (tx) => {
    const proof = await proveOrCount(tx, secrets, { userId, code: isRight ? code : null }, now);
    return proof === null ? null : recordSignIn(tx, { userId, proof, browser }, now);
  });
}

/** The proof of who a person is. */
type Proof = "totp" | "recovery code";

/**
 * Tries a code. A failure is counted before the person's row is unlocked, so that of many tries at once none is made after the last
 * that is allowed. `code` is null if the password was wrong, and `userId` may be NOBODY: both fail, with the same work.
 */
async function proveOrCount(
  tx: Tx,
  secrets: Pick<Secrets, "open">,
  { userId, code }: { readonly userId: number; readonly code: string | null },
  now: Date,
): Promise<Proof | null> {
  const user = await findAndLockUser(tx, userId);
  const mayTry = user !== null && code !== null && !isLocked(user, now);
  const proof = mayTry ? await proveWithCode(tx, secrets, { user, code }, now) : null;
  if (proof === null) await countFailure(tx, userId, now);
  return proof;
}

async function proveWithCode(
  tx: Tx,
  secrets: Pick<Secrets, "open">,
  { user, code }: { readonly user: UserRow; readonly code: string },
  now: Date,
): Promise<Proof | null> {
  const { id: userId } = user;
  if (user.totpSecret === null) return null;
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
  return db.transaction(async (tx) => {
    const proof = await proveOrCount(tx, secrets, { userId, code }, now);
    return proof === null ? null : renewToken(tx, signedIn, now);
  });
}

/** An invitation's link works this long. */
export const INVITATION_LIFETIME_MS = 72 * 3_600_000;
/** A session ends when nobody has used it for so long, */
export const IDLE_MS = 12 * 3_600_000;
/** and in any case at this age. */
export const SESSION_LIFETIME_MS = 7 * 24 * 3_600_000;
/** How often the last use of a session is stored. */
export const SEEN_EVERY_MS = 60_000;
/** A person answers a passkey's challenge within this time. */
export const CHALLENGE_LIFETIME_MS = 5 * 60_000;
/** The answer that brings a new token may be lost on its way. The former token still works for so long, for nothing dangerous. */
export const FORMER_TOKEN_MS = 5 * 60_000;
/** So many wrong passwords and codes in a row lock an account for LOCK_MS. Its passkeys still work. */
export const MAX_FAILURES = 10;
export const LOCK_MS = 15 * 60_000;
export const MAX_MEMBERS = 200;
export const MAX_OPEN_INVITATIONS = 50;
export const MAX_PASSKEYS = 20;
export const MAX_SESSIONS = 20;
export const RECOVERY_CODES = 10;
export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 200;
const MAX_NAME = 100;

const MAX_EMAIL = 254;
const EMAIL = /^[^\s@<>"(),;:\\[\]\p{Cc}]+@[^\s@<>"(),;:\\[\]\p{Cc}]+\.[^\s@.<>"(),;:\\[\]\p{Cc}]+$/u;

/** An e-mail address without the spaces around it. null if it cannot be one. */
export function readEmail(given: string): string | null {
  const email = given.trim();
  return email.length <= MAX_EMAIL && EMAIL.test(email) ? email : null;
}

/** A person's name in one line. null if it is empty, too long, or has control characters. */
export function readName(given: string): string | null {
  const name = given.trim();
  return name !== "" && name.length <= MAX_NAME && !/[\p{Cc}\p{Bidi_Control}]/u.test(name) ? name : null;
}

/** Length matters, and nothing else (NIST SP 800-63B-4, section 3.1.1.2). */
export function isPasswordLongEnough(password: string): boolean {
  return [...password].length >= MIN_PASSWORD && password.length <= MAX_PASSWORD;
}

/** True if a session has ended by age or lack of use. */
export function hasEnded(
  { createdAt, lastSeenAt }: { readonly createdAt: Date; readonly lastSeenAt: Date },
  now: Date,
): boolean {
  return (
    now.getTime() - createdAt.getTime() >= SESSION_LIFETIME_MS ||
    now.getTime() - lastSeenAt.getTime() >= IDLE_MS
  );
}

/** True while neither password nor code of an account is accepted. */
export function isLocked({ lockedUntil }: { readonly lockedUntil: Date | null }, now: Date): boolean {
  return lockedUntil !== null && lockedUntil > now;
}

import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** Parameters of scrypt. A password is verified with those of its hash. */
export interface PasswordCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  /** Bytes. */
  readonly maxmem?: number;
}

/** OWASP Password Storage: scrypt with N = 2^16, r = 8, p = 2. One hash needs 64 MiB and about a third of a second. */
const COST: PasswordCost = { N: 65_536, r: 8, p: 2, maxmem: 96 * 1_048_576 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Hashes at the same time, so that sign-ins neither fill the memory nor take every thread. */
const AT_ONCE = 2;
/** More than these would wait too long. */
const MAX_WAITING = 20;

let running = 0;
const waiting: (() => void)[] = [];

/** Too many passwords are being checked. Nobody caused it alone, and it passes in seconds. */
export class PasswordsBusyError extends Error {}

/** A salted hash as text: "scrypt$<salt>$<hash>", both base64. Throws PasswordsBusyError. */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, cost);
  return `scrypt$${salt.toString("base64")}$${hash.toString("base64")}`;
}

/**
 * True if the password has this hash. With null, for an account that does not exist or has no password, it works as long
 * and is false. Throws PasswordsBusyError.
 */
export async function verifyPassword(password: string, stored: string | null, cost = COST): Promise<boolean> {
  const [, salt = "", hash = ""] = (stored ?? "").split("$");
  const expected = stored === null ? Buffer.alloc(HASH_BYTES) : Buffer.from(hash, "base64");
  const used = stored === null ? randomBytes(SALT_BYTES) : Buffer.from(salt, "base64");
  const found = await derive(password, used, cost);
  return stored !== null && found.length === expected.length && timingSafeEqual(found, expected);
}

async function derive(password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
  await enter();
  try {
    return await new Promise((resolve, reject) =>
      // The same character can be typed in several ways (RFC 8265, section 4.2.2).
      scrypt(password.normalize("NFC"), salt, HASH_BYTES, cost, (error, key) =>
        error === null ? resolve(key) : reject(error),
      ),
    );
  } finally {
    running--;
    waiting.shift()?.();
  }
}

async function enter(): Promise<void> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MAX_WAITING) throw new PasswordsBusyError("too many passwords are being checked");
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running++;
}

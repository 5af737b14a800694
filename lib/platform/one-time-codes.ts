import { Secret, TOTP } from "otpauth";

/** Time steps before and after the current one whose codes are accepted (RFC 6238, section 5.2): clocks differ. */
const WINDOW = 1;
const PERIOD_SECONDS = 30;
/** As long as the hash of the codes (RFC 4226, section 4). */
const SECRET_BYTES = 20;

/** The secret of an authenticator app in base 32, from at least 20 secret bytes. */
export function totpSecretFrom(secret: Buffer): string {
  return new Secret({ buffer: Uint8Array.from(secret.subarray(0, SECRET_BYTES)).buffer }).base32;
}

/** The URI that an authenticator app reads from a QR code. */
export function totpUri(secret: string, account: string): string {
  return new TOTP({ issuer: "Paylink", label: account, secret }).toString();
}

/** The time step of a valid code of six digits (RFC 6238), which a caller accepts once. null for a wrong code. */
export function findTotpStep(secret: string, code: string, now: Date): number | null {
  if (!/^[0-9]{6}$/.test(code)) return null;
  const delta = new TOTP({ secret }).validate({ token: code, window: WINDOW, timestamp: now.getTime() });
  return delta === null ? null : Math.floor(now.getTime() / 1_000 / PERIOD_SECONDS) + delta;
}

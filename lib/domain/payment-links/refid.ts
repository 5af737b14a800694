import { randomBytes } from "node:crypto";

/** Base58: digits and letters without 0, O, I and l. */
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const LENGTH = 22;

/** Source of a regular expression that matches a payment link's refid. */
export const REFID_PATTERN = `[1-9A-HJ-NP-Za-km-z]{${LENGTH}}`;
const REFID = new RegExp(`^${REFID_PATTERN}$`);

export function isRefid(value: unknown): value is string {
  return typeof value === "string" && REFID.test(value);
}

/** A new link's public identifier: 128 random bits as 22 base58 characters, with leading "1" for zeros. */
export function newRefid(): string {
  let rest = BigInt(`0x${randomBytes(16).toString("hex")}`);
  let text = "";
  for (let i = 0; i < LENGTH; i++) {
    text = ALPHABET.charAt(Number(rest % 58n)) + text;
    rest /= 58n;
  }
  return text;
}

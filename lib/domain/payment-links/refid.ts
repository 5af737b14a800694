import { random128Bits } from "#lib/platform/random-128-bits.ts";

/** Base58: digits and letters without 0, O, I and l. */
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const LENGTH = 22;

/** Source of a regular expression that matches a payment link's refid. */
export const REFID_PATTERN = `[1-9A-HJ-NP-Za-km-z]{${LENGTH}}`;
const REFID = new RegExp(`^${REFID_PATTERN}$`);

export function isRefid(value: unknown): value is string {
  return typeof value === "string" && REFID.test(value);
}

/** Writes 16 bytes as 22 base58 characters, with leading "1" for zeros. */
export function encodeRefid(bytes: Buffer): string {
  // Four numbers of 32 bits, because a BigInt of 128 bits needs several times as long.
  const limbs = [0, 4, 8, 12].map((at) => bytes.readUInt32BE(at));
  let text = "";
  while (text.length < LENGTH) {
    let rest = 0;
    for (let i = 0; i < limbs.length; i++) {
      const value = rest * 2 ** 32 + (limbs[i] ?? 0);
      limbs[i] = Math.floor(value / 58);
      rest = value % 58;
    }
    text = ALPHABET.charAt(rest) + text;
  }
  return text;
}

/** A new link's public identifier: 128 random bits. */
export function newRefid(): string {
  return encodeRefid(random128Bits());
}

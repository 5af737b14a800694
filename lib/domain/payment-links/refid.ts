import { randomBytes } from "node:crypto";

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const LENGTH = 22;

/** A new link's public name: 128 random bits as 22 base58 characters, leading ones kept. */
export function newRefid(): string {
  let rest = BigInt(`0x${randomBytes(16).toString("hex")}`);
  let text = "";
  for (let i = 0; i < LENGTH; i++) {
    text = ALPHABET.charAt(Number(rest % 58n)) + text;
    rest /= 58n;
  }
  return text;
}

import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { ENVS, type Env } from "#lib/chains/network-data.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const KEY_PATTERN = /^pl_(live|test)_[0-9A-Za-z]{38}$/;

/**
 * Creates a key: `pl_live_` or `pl_test_`, 32 random base62 characters (190 bits), and a checksum of the text before it
 * (CRC-32 as six base62 digits). The checksum recognizes a mistyped or incomplete key without a query, and lets secret
 * scanners recognize a leaked key. It does not protect anything. Only the SHA-256 of the key is stored.
 */
export function createApiKey(env: Env): { text: string; hash: Buffer; last4: string } {
  const characters = Array.from({ length: RANDOM_CHARACTERS }, () => BASE62[randomInt(BASE62.length)]);
  const body = `pl_${env}_${characters.join("")}`;
  const text = body + checksum(body);
  return { text, hash: hashApiKey(text), last4: text.slice(-4) };
}

/** Parses a key into its environment and its hash. Null if the text cannot be a key. */
export function parseApiKey(text: string): { env: Env; hash: Buffer } | null {
  const match = KEY_PATTERN.exec(text);
  const env = ENVS.find((one) => one === match?.[1]);
  if (env === undefined) return null;
  if (text.slice(-CHECKSUM_CHARACTERS) !== checksum(text.slice(0, -CHECKSUM_CHARACTERS))) return null;
  return { env, hash: hashApiKey(text) };
}

function hashApiKey(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

function checksum(body: string): string {
  let remaining = crc32(body);
  let digits = "";
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    digits = BASE62[remaining % BASE62.length] + digits;
    remaining = Math.floor(remaining / BASE62.length);
  }
  return digits;
}

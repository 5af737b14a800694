import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { ENVS, type Env } from "#lib/chains/network-data.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const SHAPE = /^pl_(live|test)_[0-9A-Za-z]{38}$/;

/**
 * A new key: `pl_live_` or `pl_test_`, 32 random base62 characters (190 bits), then a checksum of all that: its
 * CRC-32 in base62, six digits. The checksum tells a mistyped or cut key from an unknown one without a query, and
 * lets secret scanners recognise a leaked one; it protects nothing. Only the SHA-256 is ever stored.
 */
export function makeApiKey(env: Env): { text: string; hash: Buffer; last4: string } {
  const characters = Array.from({ length: RANDOM_CHARACTERS }, () => BASE62[randomInt(BASE62.length)]);
  const body = `pl_${env}_${characters.join("")}`;
  const text = body + checksum(body);
  return { text, hash: hashApiKey(text), last4: text.slice(-4) };
}

/** The environment a well-formed key names, or null for anything that cannot be a key. */
export function readApiKey(text: string): { env: Env; hash: Buffer } | null {
  const match = SHAPE.exec(text);
  const env = ENVS.find((one) => one === match?.[1]);
  if (env === undefined) return null;
  if (text.slice(-CHECKSUM_CHARACTERS) !== checksum(text.slice(0, -CHECKSUM_CHARACTERS))) return null;
  return { env, hash: hashApiKey(text) };
}

function hashApiKey(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function checksum(body: string): string {
  let rest = crc32(body);
  let digits = "";
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    digits = BASE62[rest % BASE62.length] + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

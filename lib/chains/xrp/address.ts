import { createHash } from "node:crypto";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { base58xrp } from "@scure/base";
import type { Env } from "../network-data.ts";

/**
 * The receiver of XRP: an account, and the destination tag by which its owner separates payments. Null: no
 * tag.
 */
export interface XrpDestination {
  /** Classic form (r…). */
  readonly account: string;
  readonly tag: number | null;
}

export const LARGEST_TAG = 0xff_ff_ff_ff;

const ACCOUNT_BYTES = 20;
const CHECKSUM_BYTES = 4;
/** First byte of an account's classic address (xrpl.org, base58 Encodings). */
const CLASSIC_PREFIX = 0x00;
/** First bytes of an X-address (XLS-5d). */
const X_PREFIXES: Readonly<Record<Env, readonly number[]>> = { live: [0x05, 0x44], test: [0x04, 0x93] };
/** Prefix, account, whether there is a tag, and the tag in 8 bytes (little-endian, 4 are used). */
const X_BYTES = 2 + ACCOUNT_BYTES + 1 + 8;

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();
const checksumOf = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes)).subarray(0, CHECKSUM_BYTES);

function encode(bytes: Uint8Array): string {
  return base58xrp.encode(Uint8Array.of(...bytes, ...checksumOf(bytes)));
}

/** Decodes base58 of the XRP Ledger with a valid checksum. Null: invalid. */
function decode(text: string): Uint8Array | null {
  let whole: Uint8Array;
  try {
    whole = base58xrp.decode(text);
  } catch {
    return null;
  }
  const bytes = whole.subarray(0, -CHECKSUM_BYTES);
  return Buffer.compare(whole.subarray(-CHECKSUM_BYTES), checksumOf(bytes)) === 0 ? bytes : null;
}

/** Classic address (r…) of an account's 20 bytes. */
export function toClassic(account: Uint8Array): string {
  return encode(Uint8Array.of(CLASSIC_PREFIX, ...account));
}

/** The account's 20 bytes. Null: not a classic address. */
export function decodeClassicAddress(text: string): Uint8Array | null {
  const bytes = /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/.test(text) ? decode(text) : null;
  if (bytes === null || bytes.length !== 1 + ACCOUNT_BYTES || bytes[0] !== CLASSIC_PREFIX) return null;
  return bytes.subarray(1);
}

/** Classic address of a public key: RIPEMD-160 of its SHA-256 (xrpl.org, Addresses). */
export function toClassicAddress(publicKey: Uint8Array): string {
  return toClassic(ripemd160(sha256(publicKey)));
}

/** X-address (XLS-5d): account, tag and network in one text. Throws on an invalid account or tag. */
export function encodeXAddress({ account, tag }: XrpDestination, env: Env): string {
  const id = decodeClassicAddress(account);
  if (id === null) throw new Error("not an account of the XRP Ledger");
  if (tag !== null && !isDestinationTag(tag)) throw new RangeError(`${tag} is no destination tag`);
  const bytes = new Uint8Array(X_BYTES);
  bytes.set([...X_PREFIXES[env], ...id, tag === null ? 0 : 1]);
  new DataView(bytes.buffer).setUint32(2 + ACCOUNT_BYTES + 1, tag ?? 0, true);
  return encode(bytes);
}

/** Decodes an X-address of the environment's network. Null: invalid. */
export function decodeXAddress(text: string, env: Env): XrpDestination | null {
  const bytes = /^[XT][1-9A-HJ-NP-Za-km-z]{40,60}$/.test(text) ? decode(text) : null;
  if (bytes === null || bytes.length !== X_BYTES) return null;
  const account = toClassic(bytes.subarray(2, 2 + ACCOUNT_BYTES));
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const tag = bytes[2 + ACCOUNT_BYTES] === 0 ? null : view.getUint32(2 + ACCOUNT_BYTES + 1, true);
  // Another network's prefix, a 64-bit tag, or bytes that must be zero and are not.
  return encodeXAddress({ account, tag }, env) === text ? { account, tag } : null;
}

/**
 * Returns the stored form, the X-address, of an X-address of the environment's network or of a classic
 * address without a tag. Null: neither.
 */
export function canonicalizeXrpAddress(text: string, env: Env): string | null {
  if (decodeClassicAddress(text) !== null) return encodeXAddress({ account: text, tag: null }, env);
  return decodeXAddress(text, env) === null ? null : text;
}

/** Returns whether a transaction can have it as its destination or source tag. */
export function isDestinationTag(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= LARGEST_TAG;
}

/**
 * Returns whether the text looks like the secret of an account (s…, or a key in hex) instead of its address.
 */
export function looksLikeXrpSecret(text: string): boolean {
  return /^s[1-9A-HJ-NP-Za-km-z]{15,}$/.test(text) || /^(?:0x)?(?:00|ED)?[0-9a-f]{64}$/i.test(text);
}

import { ed25519 } from "@noble/curves/ed25519.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { base58 } from "@scure/base";
import { formatAmount } from "#lib/platform/money/amount.ts";

/** Bytes of an address, of a mint and of a block's hash. */
const LENGTH = 32;

/** 32 bytes in base58, which has one spelling and is case sensitive. Null for anything else. */
export function canonicalizeSolanaAddress(text: string): string | null {
  return bytesOf(text) === null ? null : text;
}

/**
 * Returns whether it is the public key of a key pair. Addresses of programs' accounts, including token
 * accounts, are off the curve, so that no key can sign for them. The address of the system program is a
 * point of order four.
 */
export function isKeyPairAddress(text: string): boolean {
  const bytes = bytesOf(text);
  if (bytes === null) return false;
  try {
    const point = ed25519.Point.fromBytes(bytes);
    return !point.isSmallOrder() && point.isTorsionFree();
  } catch {
    return false;
  }
}

function bytesOf(text: string): Uint8Array | null {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return null;
  const bytes = base58.decode(text);
  return bytes.length === LENGTH ? bytes : null;
}

/**
 * A transfer request (Solana Pay specification 1.1). `amount` in the token's units on this chain. `mint` is
 * null for SOL.
 */
export function buildSolanaPaymentUri(
  address: string,
  amount: bigint,
  { decimals, mint }: { readonly decimals: number; readonly mint: string | null },
): string {
  const token = mint === null ? "" : `&spl-token=${mint}`;
  return `solana:${address}?amount=${formatAmount(amount, decimals)}${token}`;
}

const HARDENED = 0x8000_0000;

/**
 * Derives the address at a path of hardened steps ("m/44'/501'/0'/0'") below a BIP39 seed, as Solana wallets
 * do (SLIP-10, ed25519). Needs the seed, so it runs only offline. Throws on a step that is not hardened:
 * ed25519 has none.
 */
export function deriveSolanaAddress(seed: Uint8Array, path: string): string {
  return base58.encode(ed25519.getPublicKey(deriveSolanaKey(seed, path)));
}

/** The private key, 32 bytes. */
export function deriveSolanaKey(seed: Uint8Array, path: string): Uint8Array {
  let node = hmac(sha512, utf8ToBytes("ed25519 seed"), seed);
  for (const step of path.split("/").slice(1)) {
    const number = /^([0-9]{1,10})'$/.exec(step)?.[1];
    if (number === undefined || Number(number) >= HARDENED) throw new Error(`${path} is not all hardened`);
    const index = new Uint8Array(4);
    new DataView(index.buffer).setUint32(0, Number(number) + HARDENED);
    node = hmac(sha512, node.subarray(32), concatBytes(Uint8Array.of(0), node.subarray(0, 32), index));
  }
  return node.subarray(0, 32);
}

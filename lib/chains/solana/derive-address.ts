import { ed25519 } from "@noble/curves/ed25519.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { base58 } from "@scure/base";

const HARDENED = 0x8000_0000;

/**
 * The address at a path of hardened steps ("m/44'/501'/0'/0'") below a BIP39 seed, as Solana wallets derive it (SLIP-10,
 * ed25519). Needs the seed: made offline only. Throws on a step that is not hardened, which ed25519 has none of.
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

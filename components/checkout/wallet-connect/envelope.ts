import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import { x25519 } from "@noble/curves/ed25519.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, randomBytes } from "@noble/hashes/utils.js";
import { base64 } from "@scure/base";

/** A channel between two sides that have its key. The relay knows only the topic. */
export interface Channel {
  /** 32 bytes, hex. */
  readonly topic: string;
  readonly key: Uint8Array;
}

export interface KeyPair {
  readonly secretKey: Uint8Array;
  /** X25519, hex. */
  readonly publicKey: string;
}

const NONCE_BYTES = 12;
/** Both sides have the symmetric key (WalletConnect specification, Envelopes, type 0). */
const TYPE_0 = 0;

export function newChannel(): Channel {
  return { topic: bytesToHex(randomBytes(32)), key: randomBytes(32) };
}

export function newKeyPair(): KeyPair {
  const { secretKey, publicKey } = x25519.keygen();
  return { secretKey, publicKey: bytesToHex(publicKey) };
}

/** The channel that two sides agree on (specification, Crypto Keys): HKDF-SHA256 of the shared secret, its hash as topic. */
export function agreeOnChannel({ secretKey }: KeyPair, peerPublicKey: string): Channel {
  const shared = x25519.getSharedSecret(secretKey, hexToBytes(peerPublicKey));
  const key = hkdf(sha256, shared, undefined, undefined, 32);
  return { topic: bytesToHex(sha256(key)), key };
}

/** Encrypts a message: the type, the nonce and the sealed JSON, as Base64. */
export function seal({ key }: Channel, message: object): string {
  const nonce = randomBytes(NONCE_BYTES);
  const sealed = chacha20poly1305(key, nonce).encrypt(new TextEncoder().encode(JSON.stringify(message)));
  return base64.encode(Uint8Array.from([TYPE_0, ...nonce, ...sealed]));
}

/** Decrypts a message. Throws when it was not sealed with the channel's key. */
export function open({ key }: Channel, text: string): unknown {
  const bytes = base64.decode(text);
  if (bytes[0] !== TYPE_0) throw new Error("an envelope of another type");
  const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
  const plain = chacha20poly1305(key, nonce).decrypt(bytes.subarray(1 + NONCE_BYTES));
  return JSON.parse(new TextDecoder().decode(plain));
}

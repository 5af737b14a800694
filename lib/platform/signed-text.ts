import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

/** An Ed25519 public key as a JSON Web Key (RFC 8037). */
interface PublicKey {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly alg: "EdDSA";
  readonly use: "sig";
  /** Thumbprint of the key (RFC 7638). */
  readonly kid: string;
  /** 32 bytes, base64url. */
  readonly x: string;
}

/** A JSON Web Key Set (RFC 7517). */
export interface PublicKeySet {
  readonly keys: readonly PublicKey[];
}

export interface Signer {
  /** Returns a JSON Web Signature in compact form (RFC 7515) with EdDSA (RFC 8037). */
  sign(payload: object): string;
  /** The key that signs, then those that signed before. */
  readonly publicKeys: PublicKeySet;
}

/** `seeds`: 32 secret bytes for each key, first of the one that signs. */
export function openSigner(seeds: readonly Buffer[]): Signer {
  const pairs = seeds.map(openPair);
  const [current] = pairs;
  if (current === undefined) throw new Error("a signer needs a key");
  return {
    publicKeys: { keys: pairs.map(({ publicKey }) => publicKey) },
    sign(payload) {
      const header = { alg: "EdDSA", kid: current.publicKey.kid };
      const signed = `${encode(JSON.stringify(header))}.${encode(JSON.stringify(payload))}`;
      return `${signed}.${sign(null, Buffer.from(signed), current.privateKey).toString("base64url")}`;
    },
  };
}

/** The DER encoding of an Ed25519 private key before its 32 bytes (RFC 8410, section 7). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

function openPair(seed: Buffer): { readonly privateKey: KeyObject; readonly publicKey: PublicKey } {
  const der = Buffer.concat([PKCS8_HEAD, seed]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const x = String(createPublicKey(privateKey).export({ format: "jwk" }).x);
  const members = JSON.stringify({ crv: "Ed25519", kty: "OKP", x });
  const kid = createHash("sha256").update(members).digest("base64url");
  return { privateKey, publicKey: { kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig", kid, x } };
}

const encode = (text: string) => Buffer.from(text).toString("base64url");

/** No signed text is longer. */
const MAX_CHARS = 16_384;
const SIGNATURE_BYTES = 64;

export type Verification =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly reason: "malformed" | "unknown_key" | "wrong_signature" };

/**
 * Verifies a signed text with these keys. Only the one encoding of its bytes is accepted, so that no character can be
 * changed.
 */
export function verifySigned(text: string, { keys }: PublicKeySet): Verification {
  const parts = text.length > MAX_CHARS ? [] : text.split(".");
  const [header = "", payload = "", signature = ""] = parts;
  const bytes = Buffer.from(signature, "base64url");
  const isCanonical = parts.every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
  const head = parseJson(header);
  const isWhole = parts.length === 3 && isCanonical && bytes.length === SIGNATURE_BYTES;
  if (!isWhole || head?.alg !== "EdDSA") return { ok: false, reason: "malformed" };
  const jwk = keys.find(({ kid }) => kid === head.kid);
  if (jwk === undefined) return { ok: false, reason: "unknown_key" };
  const key = createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: "jwk" });
  if (!verify(null, Buffer.from(`${header}.${payload}`), key, bytes)) {
    return { ok: false, reason: "wrong_signature" };
  }
  return { ok: true, payload: parseJson(payload) };
}

function parseJson(part: string): Record<string, unknown> | null {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}

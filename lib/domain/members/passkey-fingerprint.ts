import { createHash } from "node:crypto";

/**
 * A short text that two people compare to know that they mean the same passkey: half of the SHA-256 over its id and its public key, in
 * groups of four digits.
 */
export function passkeyFingerprint({
  credentialId,
  publicKey,
}: {
  /** base64url. */
  readonly credentialId: string;
  /** COSE key. */
  readonly publicKey: Uint8Array;
}): string {
  const text = `${credentialId}\n${Buffer.from(publicKey).toString("base64url")}`;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 32);
  return digest.match(/.{4}/g)?.join(" ") ?? digest;
}

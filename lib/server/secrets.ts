import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** What SECRET_KEY protects: secrets that must be read again, and keys for purposes of this process. */
export interface Secrets {
  /** Encrypts a text for storage: version byte, nonce, AES-256-GCM ciphertext, tag. Never the same bytes twice. */
  seal(text: string): Buffer;
  /** The text again. Throws when it was altered or sealed with another SECRET_KEY. */
  open(sealed: Buffer): string;
  /** 32 bytes that belong to this SECRET_KEY and purpose alone. */
  derive(purpose: string): Buffer;
}

/** First byte of what is sealed: names the way it was done, so that a later one can stand beside it. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function openSecrets(secretKey: string): Secrets {
  const subkey = (info: string) => Buffer.from(hkdfSync("sha256", secretKey, "paylink", info, 32));
  const sealKey = subkey(`seal:${VERSION}`);
  const header = Buffer.from([VERSION]);
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", sealKey, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(header);
      return Buffer.concat([header, nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed) {
      if (sealed[0] !== VERSION || sealed.length < 1 + NONCE_BYTES + TAG_BYTES) {
        throw new Error("not a sealed secret of a known version");
      }
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", sealKey, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(header);
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      const body = sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES);
      try {
        return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
      } catch (cause) {
        throw new Error("a stored secret does not open: altered, or sealed with another SECRET_KEY", {
          cause,
        });
      }
    },
    derive: (purpose) => subkey(`derive:${purpose}`),
  };
}

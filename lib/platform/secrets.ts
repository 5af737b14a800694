import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encryption with SECRET_KEY: secrets that must be read again, and derived keys of this process. */
export interface Secrets {
  /**
   * Encrypts a text for storage: version byte, nonce, AES-256-GCM ciphertext, tag. The bytes differ each
   * time.
   */
  seal(text: string): Buffer;
  /**
   * Decrypts a text of this SECRET_KEY or a previous one. Throws if it was altered or encrypted with another
   * key.
   */
  open(sealed: Buffer): string;
  /** The same text encrypted with this SECRET_KEY; null if it already is. Throws like open(). */
  reseal(sealed: Buffer): Buffer | null;
  /** 32 bytes that depend on this SECRET_KEY and the purpose only. */
  derive(purpose: string): Buffer;
  /** The same of this SECRET_KEY, then of the previous ones. */
  deriveAll(purpose: string): readonly Buffer[];
}

/** First byte of encrypted data: the version of the format, so that a later format can exist next to it. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `previous`: previous keys, which open what they encrypted (SECRET_KEY_PREVIOUS). */
export function openSecrets(secretKey: string, previous: readonly string[] = []): Secrets {
  const now = openSeal(secretKey);
  const seals = [now, ...previous.map(openSeal)];
  const open = (sealed: Buffer): string => {
    let failure: unknown;
    for (const { open } of seals) {
      try {
        return open(sealed);
      } catch (error) {
        failure ??= error;
      }
    }
    throw failure;
  };
  return {
    seal: now.seal,
    open,
    reseal(sealed) {
      const text = open(sealed);
      return opens(now, sealed) ? null : now.seal(text);
    },
    derive: (purpose) => subkeyOf(secretKey, `derive:${purpose}`),
    deriveAll: (purpose) => [secretKey, ...previous].map((key) => subkeyOf(key, `derive:${purpose}`)),
  };
}

type Seal = Pick<Secrets, "seal" | "open">;

function opens({ open }: Seal, sealed: Buffer): boolean {
  try {
    open(sealed);
    return true;
  } catch {
    return false;
  }
}

function subkeyOf(secretKey: string, info: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secretKey, "paylink", info, 32));
}

function openSeal(secretKey: string): Seal {
  const sealKey = subkeyOf(secretKey, `seal:${VERSION}`);
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
  };
}

import { scryptSync } from "node:crypto";
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { base64 } from "@scure/base";
import { validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { z } from "zod";

/** 128 MiB and about half a second for each guess (RFC 7914). */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;
const MOST_MEMORY = 2 ** 28;

const FILE = z.strictObject({
  version: z.literal(1),
  kdf: z.strictObject({
    name: z.literal("scrypt"),
    N: z.literal(COST.N),
    r: z.literal(COST.r),
    p: z.literal(COST.p),
    salt: z.base64(),
  }),
  cipher: z.literal("xchacha20-poly1305"),
  nonce: z.base64(),
  sealed: z.base64(),
});

export type KeyFileRefusal = "key_file_malformed" | "passphrase_wrong";

/** The text of a key file: the words of a BIP 39 mnemonic, encrypted with a passphrase. Throws on words that are no mnemonic. */
export function sealMnemonic(mnemonic: string, passphrase: string): string {
  if (!isMnemonic(mnemonic)) throw new Error("not a mnemonic");
  const [salt, nonce] = [randomBytes(16), randomBytes(24)];
  const sealed = xchacha20poly1305(deriveKey(passphrase, salt), nonce).encrypt(utf8ToBytes(mnemonic));
  const file: z.infer<typeof FILE> = {
    version: 1,
    kdf: { name: "scrypt", ...COST, salt: base64.encode(salt) },
    cipher: "xchacha20-poly1305",
    nonce: base64.encode(nonce),
    sealed: base64.encode(sealed),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** The words of a key file. */
export function openMnemonic(
  text: string,
  passphrase: string,
):
  | { readonly ok: true; readonly mnemonic: string }
  | { readonly ok: false; readonly reason: KeyFileRefusal } {
  const file = readFile(text);
  if (file === null) return { ok: false, reason: "key_file_malformed" };
  const key = deriveKey(passphrase, base64.decode(file.kdf.salt));
  try {
    const words = xchacha20poly1305(key, base64.decode(file.nonce)).decrypt(base64.decode(file.sealed));
    return { ok: true, mnemonic: new TextDecoder().decode(words) };
  } catch {
    return { ok: false, reason: "passphrase_wrong" };
  }
}

/** Whether a text is the 12 to 24 words of a BIP 39 mnemonic, with one space between two, and a right checksum. */
export function isMnemonic(text: string): boolean {
  return validateMnemonic(text, wordlist);
}

function readFile(text: string): z.infer<typeof FILE> | null {
  try {
    return FILE.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function deriveKey(passphrase: string, salt: Uint8Array): Uint8Array {
  return scryptSync(passphrase.normalize("NFKC"), salt, 32, { ...COST, maxmem: MOST_MEMORY });
}

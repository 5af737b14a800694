import { HARDENED_OFFSET, type HDKey } from "@scure/bip32";
import { type Env, getAccountPath, type NetworkData } from "./network-data.ts";

type AccountKeyProblem = "private_key" | "malformed" | "wrong_level";

/**
 * `identity` is the same for every spelling of one key. Version bytes and the parent's fingerprint differ between
 * wallets, the point and the chain code do not.
 */
export type AccountKeyResult =
  | { readonly ok: true; readonly identity: string }
  | { readonly ok: false; readonly reason: AccountKeyProblem };

/** The one text of the configuration that all addresses of a network derive from. */
export interface AccountKeyFormat {
  /** Last part of the environment variable: LIVE_BEP20_XPUB, LIVE_XRP_ACCOUNT. */
  readonly variable: "XPUB" | "ACCOUNT";
  /** An account that anyone knows and that exists, to ask a node of a network without one. Never to receive with. */
  readonly example: string;
  parse(text: string, env: Env, data: NetworkData): AccountKeyResult;
  /** Rest of a sentence that begins with the variable's name. `path` is the account path without m/. */
  describeProblem(problem: AccountKeyProblem, path: string): string;
  /** Path of the key itself, from an account path with m/. */
  getKeyPath(accountPath: string): string;
  /** The text for the variable, from the key at that path. */
  formatKey(key: HDKey): string;
}

/** Returns whether the text begins like an extended private key: xprv, dgpv, Ltpv. An address may begin so, too. */
export function looksLikeExtendedPrivateKey(text: string): boolean {
  return /^([a-z]prv|[a-z]{2}pv)/i.test(text);
}

/** m/84'/0'/0' below the seed of 32 bytes 0x01. */
const EXAMPLE_XPUB =
  "xpub6CFtfy4QXsEUW5CtgE7mZe1Lvs15Yw7ctjdyaDRy89JdhtyM1wFf8uY2BdyJ3JmAFfrHdw77hEit1ebVXxB2dytGAvq9mmQJ2c83G1q8P7A";

/** The format of families with an extended public key. `parseKey` may throw or return null for a malformed key. */
export function createXpubFormat(
  parseKey: (text: string, env: Env, data: NetworkData) => HDKey | null,
): AccountKeyFormat {
  return {
    variable: "XPUB",
    example: EXAMPLE_XPUB,
    parse(text, env, data) {
      if (looksLikeExtendedPrivateKey(text)) return { ok: false, reason: "private_key" };
      const key = tryParse(() => parseKey(text, env, data));
      if (key === null || key.publicKey === null || key.chainCode === null) {
        return { ok: false, reason: "malformed" };
      }
      const level = getAccountPath(data, env).split("/").length;
      if (key.depth !== level || key.index < HARDENED_OFFSET) return { ok: false, reason: "wrong_level" };
      return { ok: true, identity: Buffer.concat([key.publicKey, key.chainCode]).toString("hex") };
    },
    describeProblem: (problem, path) => XPUB_PROBLEMS[problem](path),
    getKeyPath: (accountPath) => accountPath,
    formatKey: (key) => key.publicExtendedKey,
  };
}

const XPUB_PROBLEMS: Record<AccountKeyProblem, (path: string) => string> = {
  private_key: (path) =>
    `holds a PRIVATE key. Anyone who has it can spend the money. It was not stored. Remove it from the environment, move the money if anyone else may have read it, and set the public key (xpub…) of m/${path}`,
  malformed: (path) => `must be the extended public key (xpub…) of the account m/${path}`,
  wrong_level: (path) =>
    `must be the extended public key of the account m/${path}, not of a level above or below it`,
};

function tryParse(parse: () => HDKey | null): HDKey | null {
  try {
    return parse();
  } catch {
    return null;
  }
}

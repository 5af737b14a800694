import { HDKey } from "@scure/bip32";
import type { KeyHashEncoder } from "./key-hash-scripts.ts";

/**
 * Version bytes of account public keys by their first letters (SLIP-132; dgub: Dogecoin Core,
 * chainparams.cpp). Wallets differ in which one they show for an account. Keys for other scripts (ypub,
 * upub, Mtub) are missing: their wallet would not show our money.
 */
const PUBLIC_VERSIONS: Readonly<Record<string, number>> = {
  xpub: 0x0488b21e,
  zpub: 0x04b24746,
  tpub: 0x043587cf,
  vpub: 0x045f1cf6,
  Ltub: 0x019da462,
  ttub: 0x0436f6e1,
  dgub: 0x02facafd,
};
const HARDENED = 0x8000_0000;

/**
 * Parses an account public key that begins with one of `forms`. Throws otherwise. No message contains the
 * key.
 */
export function readUtxoAccountKey(text: string, forms: readonly string[]): HDKey {
  const form = text.slice(0, 4);
  const version = PUBLIC_VERSIONS[form];
  if (version === undefined || !forms.includes(form)) {
    throw new Error(`the account key must begin with ${forms.join(", ")}`);
  }
  const key = HDKey.fromExtendedKey(text, { public: version, private: 0 });
  if (key.publicKey === null) throw new Error("the account key holds no public key");
  return key;
}

/**
 * Key hash addresses below an account key: index n is its child 0/n, or 1/n for change. The account number in the path is the
 * key's own. `purposePath` is the part before it ("84'/0'"). Throws on a key that is not an account public
 * key.
 */
export function deriveKeyHashAddresses(
  accountKey: string,
  given: {
    /** Allowed first letters of the key. */
    readonly forms: readonly string[];
    readonly purposePath: string;
    readonly encode: KeyHashEncoder;
  },
): (index: number, branch?: 0 | 1) => { address: string; path: string } {
  const { forms, purposePath, encode } = given;
  const account = readUtxoAccountKey(accountKey, forms);
  if (account.depth !== 3 || account.index < HARDENED) throw new Error("the key is not an account's");
  // Only when it is needed: the first derivation of a process takes about 50 ms.
  const branches = new Map<0 | 1, HDKey>();
  return (index, branch = 0) => {
    const parent = branches.get(branch) ?? account.deriveChild(branch);
    branches.set(branch, parent);
    const { pubKeyHash } = parent.deriveChild(index);
    if (pubKeyHash === undefined) throw new Error("the account key derives no public keys");
    return {
      address: encode(pubKeyHash, 0),
      path: `m/${purposePath}/${account.index - HARDENED}'/${branch}/${index}`,
    };
  };
}

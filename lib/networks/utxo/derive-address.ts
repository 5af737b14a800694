import { HDKey } from "@scure/bip32";
import type { Env } from "../network-data.ts";
import { keyHashEncoder } from "./address.ts";

/**
 * Version bytes of account public keys by their first letters (SLIP-132): which of them a wallet shows for the same
 * BIP84 account is its own habit. ypub and upub are of another script, so their wallet would not see our money.
 */
const PUBLIC_VERSIONS: Readonly<Record<string, number>> = {
  xpub: 0x0488b21e,
  zpub: 0x04b24746,
  tpub: 0x043587cf,
  vpub: 0x045f1cf6,
};
const FORMS: Readonly<Record<Env, readonly string[]>> = {
  live: ["xpub", "zpub"],
  test: ["xpub", "zpub", "tpub", "vpub"],
};
const HARDENED = 0x8000_0000;

/** Reads a BIP84 account public key in any spelling of its environment. Throws on all else; no message holds it. */
export function readSegwitAccountKey(text: string, env: Env): HDKey {
  const form = text.slice(0, 4);
  const version = PUBLIC_VERSIONS[form];
  if (version === undefined || !FORMS[env].includes(form)) {
    throw new Error(`the account key must begin with ${FORMS[env].join(", ")}`);
  }
  const key = HDKey.fromExtendedKey(text, { public: version, private: 0 });
  if (key.publicKey === null) throw new Error("the account key holds no public key");
  return key;
}

/**
 * P2WPKH addresses below a BIP84 account key: index n is its child 0/n. The path's account is the one the key itself
 * names; `purposePath` is what stands before it ("84'/0'"). Throws on a key that is not an account public key.
 */
export function deriveSegwitAddresses(
  accountKey: string,
  { env, hrp, purposePath }: { env: Env; hrp: string; purposePath: string },
): (index: number) => { address: string; path: string } {
  const account = readSegwitAccountKey(accountKey, env);
  if (account.depth !== 3 || account.index < HARDENED) throw new Error("the key is not an account's");
  const receiving = account.deriveChild(0);
  const encode = keyHashEncoder(hrp);
  return (index) => {
    const { pubKeyHash } = receiving.deriveChild(index);
    if (pubKeyHash === undefined) throw new Error("the account key derives no public keys");
    return {
      address: encode(pubKeyHash, 0),
      path: `m/${purposePath}/${account.index - HARDENED}'/0/${index}`,
    };
  };
}

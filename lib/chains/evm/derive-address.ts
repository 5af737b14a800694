import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { HARDENED_OFFSET, HDKey } from "@scure/bip32";

/**
 * Addresses below an EVM account public key: index n is its child 0/n. Canonical, lower case. The account
 * number in the path is the key's own. Throws on a private key, and on text that is not an extended public
 * key.
 */
export function createEvmAddressDeriver(
  accountKey: string,
  accountPath: string,
): (index: number) => { readonly address: string; readonly path: string } {
  const account = HDKey.fromExtendedKey(accountKey);
  if (account.privateKey !== null) throw new Error("a private account key: a public one is needed");
  // Only when it is needed: the first derivation of a process takes about 50 ms.
  let receiving: HDKey | undefined;
  const hardened = account.index >= HARDENED_OFFSET;
  const number = hardened ? `${account.index - HARDENED_OFFSET}'` : `${account.index}`;
  const root = accountPath.replace(/[0-9]+'$/, number);
  return (index) => {
    receiving ??= account.deriveChild(0);
    const { publicKey } = receiving.deriveChild(index);
    if (publicKey === null) throw new Error("the account key derives no public keys");
    return { address: toEvmAddress(publicKey), path: `m/${root}/0/${index}` };
  };
}

/** The address of child 1/0 of an account public key, canonical. */
export function deriveHotAccount(accountKey: string): string {
  const { publicKey } = HDKey.fromExtendedKey(accountKey).deriveChild(1).deriveChild(0);
  if (publicKey === null) throw new Error("the account key derives no public keys");
  return toEvmAddress(publicKey);
}

/** Canonical address of a compressed secp256k1 public key. */
function toEvmAddress(publicKey: Uint8Array): string {
  // The first byte of an uncompressed key is only its prefix (0x04).
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1);
  return `0x${bytesToHex(keccak_256(point)).slice(-40)}`;
}

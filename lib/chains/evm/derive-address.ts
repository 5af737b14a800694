import { HARDENED_OFFSET, HDKey } from "@scure/bip32";
import { bytesToHex, keccak256 } from "viem";

const FIELD = 2n ** 256n - 2n ** 32n - 977n;

/**
 * Addresses below an EVM account public key: index n is its child 0/n. Canonical, lower case. The path names the
 * account that the key itself says it is, on the family's `accountPath`. Throws on a key that is not an extended
 * public key, private ones included.
 */
export function createEvmAddressDeriver(
  accountKey: string,
  accountPath: string,
): (index: number) => { readonly address: string; readonly path: string } {
  const account = HDKey.fromExtendedKey(accountKey);
  if (account.privateKey !== null) throw new Error("a private account key: a public one is needed");
  const receiving = account.deriveChild(0);
  const hardened = account.index >= HARDENED_OFFSET;
  const number = hardened ? `${account.index - HARDENED_OFFSET}'` : `${account.index}`;
  const root = accountPath.replace(/[0-9]+'$/, number);
  return (index) => {
    const { publicKey } = receiving.deriveChild(index);
    if (publicKey === null) throw new Error("the account key derives no public keys");
    return { address: toEvmAddress(publicKey), path: `m/${root}/0/${index}` };
  };
}

/** Canonical address of a compressed secp256k1 public key. */
export function toEvmAddress(publicKey: Uint8Array): string {
  const x = BigInt(bytesToHex(publicKey.subarray(1)));
  const root = power((x ** 3n + 7n) % FIELD, (FIELD + 1n) / 4n);
  const y = (root & 1n) === BigInt((publicKey[0] ?? 0) & 1) ? root : FIELD - root;
  const point = `0x${hex32(x)}${hex32(y)}` as const;
  return `0x${keccak256(point).slice(-40)}`;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [b, e] = [base, exponent]; e > 0n; e >>= 1n) {
    if (e & 1n) result = (result * b) % FIELD;
    b = (b * b) % FIELD;
  }
  return result;
}

function hex32(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}

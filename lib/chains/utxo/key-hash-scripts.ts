import type { UtxoChain, UtxoData } from "../network-data.ts";
import { encodeKeyHashAddress, encodeSegwitAddress } from "./address.ts";

/** Encodes the address of a key's hash: the 20 bytes at `at`. */
export type KeyHashEncoder = (bytes: Uint8Array, at: number) => string;

/** A form of script that pays to the hash of a key. */
export interface KeyHashScript {
  readonly length: number;
  /** Offset of the 20 bytes of hash. */
  readonly hashAt: number;
  /** Returns whether the script at `at`, of that length, has this form. */
  readonly matches: (raw: Uint8Array, at: number) => boolean;
}

export const KEY_HASH_SCRIPTS: Readonly<Record<UtxoData["script"], KeyHashScript>> = {
  // OP_0 and a push of 20 bytes (BIP141).
  p2wpkh: { length: 22, hashAt: 2, matches: (raw, at) => raw[at] === 0x00 && raw[at + 1] === 0x14 },
  // OP_DUP OP_HASH160, a push of 20 bytes, OP_EQUALVERIFY OP_CHECKSIG.
  p2pkh: {
    length: 25,
    hashAt: 3,
    matches: (raw, at) =>
      raw[at] === 0x76 &&
      raw[at + 1] === 0xa9 &&
      raw[at + 2] === 0x14 &&
      raw[at + 23] === 0x88 &&
      raw[at + 24] === 0xac,
  },
};

/** Returns the encoder of such scripts' addresses on a chain. Throws where the chain has none. */
export function createKeyHashEncoder(script: UtxoData["script"], chain: UtxoChain): KeyHashEncoder {
  const { hrp, pubKeyHash, name } = chain;
  if (script === "p2pkh") return (bytes, at) => encodeKeyHashAddress(pubKeyHash, bytes.subarray(at, at + 20));
  if (hrp === null) throw new Error(`${name} has no segwit addresses`);
  return (bytes, at) => encodeSegwitAddress(hrp, bytes.subarray(at, at + 20));
}

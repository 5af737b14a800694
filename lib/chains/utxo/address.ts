import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, bech32m, createBase58check } from "@scure/base";
import type { UtxoChain } from "../network-data.ts";

const base58check = createBase58check(sha256);

/**
 * The stored spelling of an address of this chain: bech32 in lower case, base58 unchanged, except that a
 * script address gets the version byte that its node writes. Null: not an address of this chain. Unused
 * segwit versions are addresses, too (BIP350).
 */
export function canonicalizeUtxoAddress(text: string, chain: UtxoChain): string | null {
  const { hrp, pubKeyHash, scriptHashes } = chain;
  const lower = text.toLowerCase();
  if (hrp !== null && lower.startsWith(`${hrp}1`)) return isSegwitAddress(text, hrp) ? lower : null;
  try {
    const payload = base58check.decode(text);
    const [version] = payload;
    if (version === undefined || payload.length !== 21) return null;
    if (version === pubKeyHash || version === scriptHashes[0]) return text;
    if (!scriptHashes.includes(version)) return null;
    payload[0] = scriptHashes[0];
    return base58check.encode(payload);
  } catch {
    return null;
  }
}

/** BIP173 and BIP350: version 0 with bech32, all others with bech32m. */
function isSegwitAddress(text: string, hrp: string): boolean {
  const decoded = bech32.decodeUnsafe(text) ?? bech32m.decodeUnsafe(text);
  if (!decoded || decoded.prefix !== hrp) return false;
  const [version, ...words] = decoded.words;
  const program = bech32.fromWordsUnsafe(words);
  if (version === undefined || version > 16 || !program) return false;
  const codec = version === 0 ? bech32 : bech32m;
  if (codec.decodeUnsafe(text) === undefined || program.length < 2 || program.length > 40) return false;
  return version !== 0 || program.length === 20 || program.length === 32;
}

/** Encodes a P2PKH address: base58check of the version byte and the key's hash. */
export function encodeKeyHashAddress(version: number, keyHash: Uint8Array): string {
  return base58check.encode(Uint8Array.of(version, ...keyHash));
}

/** Encodes a P2WPKH address: segwit version 0 and the key's hash (BIP173). */
export function encodeSegwitAddress(hrp: string, keyHash: Uint8Array): string {
  return bech32.encode(hrp, [0, ...bech32.toWords(keyHash)]);
}

/** The script that pays to a canonical address of this chain (BIP141, BIP350; P2PKH and P2SH). */
export function encodeAddressScript(address: string, { hrp, pubKeyHash }: UtxoChain): Uint8Array {
  if (hrp !== null && address.startsWith(`${hrp}1`)) {
    const { words } = bech32.decodeUnsafe(address) ?? bech32m.decode(address as `${string}1${string}`);
    const [version = 0, ...rest] = words;
    const program = bech32.fromWords(rest);
    return Uint8Array.of(version === 0 ? 0 : 0x50 + version, program.length, ...program);
  }
  const [version, ...hash] = base58check.decode(address);
  return version === pubKeyHash
    ? Uint8Array.of(0x76, 0xa9, 20, ...hash, 0x88, 0xac)
    : Uint8Array.of(0xa9, 20, ...hash, 0x87);
}

import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, bech32m, createBase58check } from "@scure/base";
import type { UtxoChain } from "./chains.ts";

const base58check = createBase58check(sha256);

/**
 * The one spelling of an address of this chain: bech32 in lower case; base58 as it is, a script's with the version byte
 * that its node writes. null when it is none, of another chain included. Segwit versions that nobody uses yet are
 * addresses too (BIP350).
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

const CHARACTERS = Buffer.from("qpzry9x8gf2tvdw0s3jn54khce6mua7l");
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
/** What the five bits shifted out of the checksum fold back into it. */
const FOLDS = Int32Array.from({ length: 32 }, (_, bits) =>
  GENERATORS.reduce((fold, generator, i) => ((bits >> i) & 1 ? fold ^ generator : fold), 0),
);

function fold(checksum: number, word: number): number {
  return ((checksum & 0x1ffffff) << 5) ^ word ^ (FOLDS[checksum >>> 25] ?? 0);
}

/**
 * Writes P2WPKH addresses (segwit version 0, 20 bytes) of a chain. A block has thousands of outputs, and this is what
 * each of them costs: ten times less than a general bech32 encoder.
 */
export function createSegwitEncoder(hrp: string): (bytes: Uint8Array, at: number) => string {
  const prefix = Buffer.from(`${hrp}1`);
  const letters = [...Buffer.from(hrp)];
  // The checksum over everything before the hash is the same for all: the prefix, and the version 0.
  let seed = 1;
  for (const word of [...letters.map((l) => l >> 5), 0, ...letters.map((l) => l & 31), 0]) {
    seed = fold(seed, word);
  }
  const text = Buffer.alloc(prefix.length + 1 + 32 + 6);
  prefix.copy(text);
  text[prefix.length] = CHARACTERS[0] ?? 0;
  return (bytes, at) => {
    let checksum = seed;
    let end = prefix.length + 1;
    const write = (word: number) => {
      text[end++] = CHARACTERS[word] ?? 0;
    };
    let bits = 0;
    let held = 0;
    for (let i = at; i < at + 20; i++) {
      held = ((held << 8) | (bytes[i] ?? 0)) & 0xfff;
      for (bits += 8; bits >= 5; ) {
        bits -= 5;
        const word = (held >> bits) & 31;
        checksum = fold(checksum, word);
        write(word);
      }
    }
    for (let i = 0; i < 6; i++) checksum = fold(checksum, 0);
    checksum ^= 1;
    for (let shift = 25; shift >= 0; shift -= 5) write((checksum >>> shift) & 31);
    return text.toString("latin1", 0, end);
  };
}

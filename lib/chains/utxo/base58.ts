import { hash } from "node:crypto";

const CHARACTERS = Buffer.from("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz");
/** Five characters at a time: 65,536 times this is still exact in a Number. */
const LIMB = 58 ** 5;
/** Version, hash, checksum. */
const LENGTH = 25;

/**
 * Writes P2PKH addresses: base58 of version byte, the key's hash at `at` and the first four bytes of their double
 * SHA-256. What a block of P2PKH outputs costs is this, so it is made of Numbers, not of a general encoder.
 */
export function createBase58Encoder(version: number): (bytes: Uint8Array, at: number) => string {
  const payload = Buffer.alloc(LENGTH + 1);
  // A zero before it makes the length even.
  payload[1] = version;
  const text = Buffer.alloc(35);
  const limbs = new Float64Array(7);
  return (bytes, at) => {
    payload.set(bytes.subarray(at, at + 20), 2);
    const checksum = hash("sha256", hash("sha256", payload.subarray(1, 22), "buffer"), "buffer");
    checksum.copy(payload, 22, 0, 4);
    limbs.fill(0);
    for (let i = 0; i <= LENGTH; i += 2) {
      let carry = payload.readUInt16BE(i);
      for (let limb = 0; limb < limbs.length; limb++) {
        const value = (limbs[limb] ?? 0) * 0x10000 + carry;
        carry = Math.floor(value / LIMB);
        limbs[limb] = value - carry * LIMB;
      }
    }
    let start = text.length;
    for (let limb of limbs) {
      for (let digit = 0; digit < 5; digit++) {
        text[--start] = CHARACTERS[limb % 58] ?? 0;
        limb = Math.floor(limb / 58);
      }
    }
    // Zeros in front are none of the number's; a byte of zero at the beginning is written as one.
    while (start < text.length && text[start] === CHARACTERS[0]) start += 1;
    for (let i = 1; i <= LENGTH && payload[i] === 0; i++) text[--start] = CHARACTERS[0] ?? 0;
    return text.toString("latin1", start);
  };
}

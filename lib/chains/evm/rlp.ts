/** A value of Ethereum's encoding RLP: bytes, or a list of values (Ethereum yellow paper, appendix B). */
export type Rlp = Uint8Array | readonly Rlp[];

export function encodeRlp(value: Rlp): Uint8Array {
  if (value instanceof Uint8Array) {
    const [first = 0x80] = value;
    return value.length === 1 && first < 0x80 ? value : Buffer.concat([lengthOf(value.length, 0x80), value]);
  }
  const content = Buffer.concat(value.map(encodeRlp));
  return Buffer.concat([lengthOf(content.length, 0xc0), content]);
}

function lengthOf(length: number, offset: number): Uint8Array {
  if (length < 56) return Uint8Array.of(offset + length);
  const bytes = toBytes(BigInt(length));
  return Uint8Array.of(offset + 55 + bytes.length, ...bytes);
}

/** A number without leading zeros: 0 has no bytes. */
export function toBytes(number: bigint): Uint8Array {
  const hex = number === 0n ? "" : number.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
}

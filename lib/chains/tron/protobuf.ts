/** The two kinds of field in TRON's transactions. */
export type Field = bigint | Uint8Array;

/**
 * Writes a protobuf message: fields in the given order, without absent and default ones. Integers must not
 * be negative.
 */
export function writeMessage(fields: readonly (readonly [number: number, value: Field])[]): Uint8Array {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === "bigint") {
        return value === 0n ? [] : [writeVarint(BigInt(number << 3)), writeVarint(value)];
      }
      if (value.length === 0) return [];
      return [writeVarint(BigInt((number << 3) | 2)), writeVarint(BigInt(value.length)), value];
    }),
  );
}

/** Reads the fields by number, each in order. Throws RangeError on bytes that are not a message. */
export function readMessage(bytes: Uint8Array): ReadonlyMap<number, readonly Field[]> {
  const fields = new Map<number, Field[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("not a protobuf message: a number without an end");
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const kind = tag & 7;
    let value: Field;
    if (kind === 0) value = varint();
    else if (kind === 2) {
      const length = Number(varint());
      if (at + length > bytes.length) throw new RangeError("not a protobuf message: cut short");
      value = bytes.subarray(at, at + length);
      at += length;
    } else throw new RangeError(`not a protobuf message: wire type ${kind}`);
    const number = Math.floor(tag / 8);
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

function writeVarint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

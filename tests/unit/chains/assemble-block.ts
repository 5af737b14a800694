import { hash, randomBytes } from "node:crypto";

const doubleHash = (bytes: Buffer) => hash("sha256", hash("sha256", bytes, "buffer"), "buffer");

/**
 * A block of the requested size with random contents: every transaction spends one key's coin with its
 * witness, every output is P2WPKH. A node would refuse it (no proof of work), but it is complete and parses
 * as a block.
 */
export function assembleBlock(size: { transactions: number; outputs: number }): Buffer {
  const made = Array.from({ length: size.transactions }, (_, i) => {
    const share = Math.floor(size.outputs / size.transactions);
    return aTransaction(share + (i < size.outputs - share * size.transactions ? 1 : 0));
  });
  const header = Buffer.alloc(80);
  merkleRoot(made.map(({ id }) => id)).copy(header, 36);
  return Buffer.concat([header, compactSize(made.length), ...made.map(({ raw }) => raw)]);
}

function aTransaction(outputs: number): { raw: Buffer; id: Buffer } {
  const version = Buffer.from("02000000", "hex");
  const body = Buffer.concat([
    Buffer.of(1),
    randomBytes(36),
    Buffer.from("00fdffffff", "hex"),
    compactSize(outputs),
    ...Array.from({ length: outputs }, () =>
      Buffer.concat([Buffer.from("e803000000000000160014", "hex"), randomBytes(20)]),
    ),
  ]);
  const witness = Buffer.concat([Buffer.of(2, 72), randomBytes(72), Buffer.of(33), randomBytes(33)]);
  const lockTime = Buffer.alloc(4);
  return {
    raw: Buffer.concat([version, Buffer.of(0, 1), body, witness, lockTime]),
    id: doubleHash(Buffer.concat([version, body, lockTime])),
  };
}

function compactSize(value: number): Buffer {
  if (value < 0xfd) return Buffer.of(value);
  const bytes = Buffer.of(0xfd, 0, 0);
  bytes.writeUInt16LE(value, 1);
  return bytes;
}

function merkleRoot(ids: readonly Buffer[]): Buffer {
  const [first, ...rest] = ids;
  if (first === undefined) throw new Error("a block has transactions");
  if (rest.length === 0) return first;
  const next: Buffer[] = [];
  for (let i = 0; i < ids.length; i += 2) {
    const left = ids[i] ?? first;
    next.push(doubleHash(Buffer.concat([left, ids[i + 1] ?? left])));
  }
  return merkleRoot(next);
}

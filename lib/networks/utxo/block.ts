import { hash } from "node:crypto";
import { NodeError } from "../network.ts";

/** Longest raw transaction that can stand in a block, in bytes. */
const MAX_TRANSACTION = 4_000_000;

/** An output, its script left where it stands in the bytes that were read. */
export interface RawOutput {
  readonly satoshis: number;
  readonly scriptAt: number;
  readonly scriptLength: number;
}

export interface RawTransaction {
  readonly txid: string;
  readonly coinbase: boolean;
  readonly outputs: readonly RawOutput[];
  /** Outpoints spent, "txid:n"; none for a coinbase. Read on demand: most transactions are nobody's of ours. */
  spends(): string[];
}

export interface RawBlock {
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Date;
  readonly transactions: readonly RawTransaction[];
}

/**
 * Reads a serialised block whole. Its hash is computed, and its transactions must add up to the header's Merkle root,
 * so that a block is either all there or refused with NodeError("malformed").
 */
export function parseBlock(raw: Buffer): RawBlock {
  const reader = new Reader(raw);
  reader.skip(80);
  const count = reader.compactSize();
  if (count === 0 || count * 60 > raw.length) throw malformed();
  const transactions: RawTransaction[] = [];
  const ids = Buffer.allocUnsafe(count * 32);
  for (let i = 0; i < count; i++) transactions.push(reader.transaction(ids, i * 32));
  if (reader.at !== raw.length) throw malformed();
  if (merkleRoot(ids).compare(raw, 36, 68) !== 0) {
    throw new NodeError("malformed", "a block's transactions are not those of its header");
  }
  return {
    hash: displayed(doubleHash(raw.subarray(0, 80)), 0),
    parentHash: displayed(raw, 4),
    time: new Date(raw.readUInt32LE(68) * 1_000),
    transactions,
  };
}

/** Reads one serialised transaction. Throws NodeError("malformed"). */
export function parseTransaction(raw: Buffer): RawTransaction {
  const reader = new Reader(raw);
  const transaction = reader.transaction(Buffer.allocUnsafe(32), 0);
  if (reader.at !== raw.length) throw malformed();
  return transaction;
}

function malformed(): NodeError {
  return new NodeError("malformed", "the node sent a block or a transaction that does not read as one");
}

function doubleHash(bytes: Uint8Array): Buffer {
  return hash("sha256", hash("sha256", bytes, "buffer"), "buffer");
}

/** Hashes are shown in reverse. */
function displayed(bytes: Buffer, at: number): string {
  return Buffer.from(bytes.subarray(at, at + 32))
    .reverse()
    .toString("hex");
}

/** Folds the ids in place, level by level; the last of an odd level is paired with itself. */
function merkleRoot(ids: Buffer): Buffer {
  const level = Buffer.from(ids);
  const pair = Buffer.allocUnsafe(64);
  for (let length = level.length / 32; length > 1; length = Math.ceil(length / 2)) {
    for (let i = 0; i < length; i += 2) {
      const right = i + 1 < length ? i + 1 : i;
      level.copy(pair, 0, i * 32, i * 32 + 32);
      level.copy(pair, 32, right * 32, right * 32 + 32);
      doubleHash(pair).copy(level, (i / 2) * 32);
    }
  }
  return level.subarray(0, 32);
}

/** A transaction without its witness, put together here to be hashed: one buffer serves all. */
const scratch = Buffer.allocUnsafe(MAX_TRANSACTION);

class Reader {
  readonly raw: Buffer;
  at = 0;

  constructor(raw: Buffer) {
    this.raw = raw;
  }

  skip(length: number): number {
    const start = this.at;
    this.at += length;
    if (this.at > this.raw.length) throw malformed();
    return start;
  }

  compactSize(): number {
    const first = this.raw[this.skip(1)] ?? 0;
    if (first < 0xfd) return first;
    if (first === 0xfd) return this.raw.readUInt16LE(this.skip(2));
    if (first === 0xfe) return this.raw.readUInt32LE(this.skip(4));
    throw malformed();
  }

  /** Writes the id in hash order into `ids` at `idAt`. */
  transaction(ids: Buffer, idAt: number): RawTransaction {
    const { raw } = this;
    const start = this.skip(4);
    // A list of inputs is never empty: a zero there is the marker of the form with a witness (BIP144).
    const segwit = raw[this.at] === 0;
    if (segwit && raw[this.skip(2) + 1] !== 1) throw malformed();
    const bodyAt = this.at;
    const inputs: number[] = [];
    for (let left = this.compactSize(); left > 0; left--) {
      inputs.push(this.skip(36));
      this.skip(this.compactSize());
      this.skip(4);
    }
    const outputs = this.outputs();
    const bodyEnd = this.at;
    if (segwit) for (const _ of inputs) this.witness();
    const lockTimeAt = this.skip(4);

    let stripped = raw.subarray(start, this.at);
    if (segwit) {
      raw.copy(scratch, 0, start, start + 4);
      raw.copy(scratch, 4, bodyAt, bodyEnd);
      raw.copy(scratch, 4 + bodyEnd - bodyAt, lockTimeAt, lockTimeAt + 4);
      stripped = scratch.subarray(0, 8 + bodyEnd - bodyAt);
    }
    doubleHash(stripped).copy(ids, idAt);
    const coinbase = inputs.length === 1 && isNullOutpoint(raw, inputs[0] ?? 0);
    return {
      get txid() {
        return displayed(ids, idAt);
      },
      coinbase,
      outputs,
      spends: () =>
        coinbase ? [] : inputs.map((at) => `${displayed(raw, at)}:${raw.readUInt32LE(at + 32)}`),
    };
  }

  private outputs(): RawOutput[] {
    const outputs: RawOutput[] = [];
    for (let left = this.compactSize(); left > 0; left--) {
      const valueAt = this.skip(8);
      // At most 21 million × 10^8, far inside what a Number holds exactly.
      const satoshis = this.raw.readUInt32LE(valueAt + 4) * 2 ** 32 + this.raw.readUInt32LE(valueAt);
      if (!Number.isSafeInteger(satoshis)) throw malformed();
      const scriptLength = this.compactSize();
      outputs.push({ satoshis, scriptAt: this.skip(scriptLength), scriptLength });
    }
    return outputs;
  }

  private witness(): void {
    for (let left = this.compactSize(); left > 0; left--) this.skip(this.compactSize());
  }
}

function isNullOutpoint(raw: Buffer, at: number): boolean {
  if (raw.readUInt32LE(at + 32) !== 0xffffffff) return false;
  for (let i = at; i < at + 32; i++) if (raw[i] !== 0) return false;
  return true;
}

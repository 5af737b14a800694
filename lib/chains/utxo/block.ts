import { hash } from "node:crypto";
import type { UtxoData } from "../network-data.ts";
import { NodeError } from "../node-error.ts";

/** Longest raw transaction that a block can hold, in bytes. */
const MAX_TRANSACTION = 4_000_000;
/** Amounts are signed in the chain's own code. */
const MAX_AMOUNT = 2n ** 63n - 1n;
/** Bit of a header's version: a proof of merged mining follows the header (Dogecoin Core, primitives/pureheader.h). */
const AUXPOW = 0x100;
/** Bits of a transaction's flags: witnesses (BIP144), and litecoin's part of an extension block (LIP-0002). */
const WITNESS = 1;
const MWEB = 8;

type BlockExtra = UtxoData["blockExtra"];

/** An output. Its script stays in the bytes that were read. */
interface UtxoOutput {
  readonly satoshis: bigint;
  readonly scriptAt: number;
  readonly scriptLength: number;
}

export interface UtxoTransaction {
  readonly txid: string;
  readonly coinbase: boolean;
  /** It belongs to litecoin's extension block, including its id. Its inputs and outputs cannot be read. */
  readonly hidden: boolean;
  readonly outputs: readonly UtxoOutput[];
  /**
   * Outpoints spent, "txid:n". Empty for a coinbase. Read on demand, because most transactions are not ours, and once:
   * thousands of outputs share the list.
   */
  spends(): readonly string[];
}

export interface UtxoBlock {
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Date;
  readonly transactions: readonly UtxoTransaction[];
}

/**
 * Parses a complete serialized block. Its hash is computed, and its transactions must match the header's
 * Merkle root: an incomplete block throws NodeError("malformed"). The proof of merged mining and litecoin's
 * extension block are skipped. Neither is part of that root, and neither holds our coins.
 */
export function parseUtxoBlock(raw: Buffer, extra?: BlockExtra): UtxoBlock {
  const reader = new Reader(raw, extra === "mweb" ? "block" : "none");
  reader.skip(80);
  if (extra === "auxpow" && (raw.readUInt32LE(0) & AUXPOW) !== 0) reader.auxPow();
  const count = reader.compactSize();
  if (count === 0 || count * 60 > raw.length) throw malformed();
  const transactions: UtxoTransaction[] = [];
  const ids = Buffer.allocUnsafe(count * 32);
  for (let i = 0; i < count; i++) transactions.push(reader.transaction(ids, i * 32));
  if (reader.hogEx) reader.extensionBlock();
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

/** Parses one serialized transaction. Throws NodeError("malformed"). */
export function parseUtxoTransaction(raw: Buffer, extra?: BlockExtra): UtxoTransaction {
  const reader = new Reader(raw, extra === "mweb" ? "transaction" : "none");
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

/** Hashes are shown in reverse byte order. */
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

/** Buffer for a transaction without its witness, which is what the id is a hash of. */
const scratch = Buffer.allocUnsafe(MAX_TRANSACTION);

class Reader {
  readonly raw: Buffer;
  /** The part that may hold litecoin's extension. */
  readonly mweb: "none" | "block" | "transaction";
  at = 0;
  /** The last transaction read is the one that binds an extension block. It is the block's last. */
  hogEx = false;

  constructor(raw: Buffer, mweb: "none" | "block" | "transaction") {
    this.raw = raw;
    this.mweb = mweb;
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
  transaction(ids: Buffer, idAt: number): UtxoTransaction {
    const { raw } = this;
    const start = this.skip(4);
    // A list of inputs is never empty: a zero there is the marker of the form with flags (BIP144).
    const flags = raw[this.at] === 0 ? this.flags() : 0;
    const bodyAt = this.at;
    const inputs: number[] = [];
    for (let left = this.compactSize(); left > 0; left--) {
      inputs.push(this.skip(36));
      this.skip(this.compactSize());
      this.skip(4);
    }
    const outputs = this.outputs();
    const bodyEnd = this.at;
    if (flags & WITNESS) for (const _ of inputs) this.witness();
    if (flags & MWEB) this.extensionPart();
    else this.hogEx = false;
    const lockTimeAt = this.skip(4);

    let stripped = raw.subarray(start, this.at);
    if (flags !== 0) {
      raw.copy(scratch, 0, start, start + 4);
      raw.copy(scratch, 4, bodyAt, bodyEnd);
      raw.copy(scratch, 4 + bodyEnd - bodyAt, lockTimeAt, lockTimeAt + 4);
      stripped = scratch.subarray(0, 8 + bodyEnd - bodyAt);
    }
    doubleHash(stripped).copy(ids, idAt);
    const coinbase = inputs.length === 1 && isNullOutpoint(raw, inputs[0] ?? 0);
    let spent: readonly string[] | null = coinbase ? [] : null;
    return {
      get txid() {
        return displayed(ids, idAt);
      },
      coinbase,
      hidden: (flags & MWEB) !== 0 && inputs.length === 0 && outputs.length === 0,
      outputs,
      spends() {
        spent ??= inputs.map((at) => `${displayed(raw, at)}:${raw.readUInt32LE(at + 32)}`);
        return spent;
      },
    };
  }

  /** The parent block's coinbase, its place there, the place of our header in it, the parent's header. */
  auxPow(): void {
    this.transaction(Buffer.allocUnsafe(32), 0);
    this.skip(32);
    for (let branch = 0; branch < 2; branch++) {
      this.skip(32 * this.compactSize());
      this.skip(4);
    }
    this.skip(80);
  }

  /** The part after the transactions. One byte says whether it exists. It has no length field. */
  extensionBlock(): void {
    const present = this.raw[this.skip(1)];
    if (present === 1) this.at = this.raw.length;
    else if (present !== 0) throw malformed();
  }

  private flags(): number {
    const flags = this.raw[this.skip(2) + 1] ?? 0;
    const known = this.mweb === "none" ? WITNESS : WITNESS | MWEB;
    if (flags === 0 || (flags & ~known) !== 0) throw malformed();
    return flags;
  }

  /**
   * Always empty in blocks. In a waiting transaction it ends where the lock time begins, and has no length
   * field.
   */
  private extensionPart(): void {
    const present = this.raw[this.skip(1)];
    this.hogEx = present === 0;
    if (present === 0) return;
    if (present !== 1 || this.mweb === "block") throw malformed();
    const end = this.raw.length - 4;
    if (end < this.at) throw malformed();
    this.at = end;
  }

  private outputs(): UtxoOutput[] {
    const outputs: UtxoOutput[] = [];
    for (let left = this.compactSize(); left > 0; left--) {
      // More dogecoin exist than a Number can hold exactly.
      const satoshis = this.raw.readBigUInt64LE(this.skip(8));
      if (satoshis > MAX_AMOUNT) throw malformed();
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

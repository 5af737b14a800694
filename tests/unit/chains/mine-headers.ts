import { scryptSync } from "node:crypto";
import { doubleSha256 } from "#lib/chains/electrum/headers.ts";

const EASIEST_BITS = 0x207fffff;

/** Bits of which one in 256 hashes is a proof of work: 128 times the work of a block with the easiest bits. */
const HARDER_BITS = 0x2000ffff;

/** Headers of a chain whose every second hash is a proof of work. */
export function mineHeaders(count: number, work: "sha256d" | "scrypt" = "sha256d"): Buffer[] {
  const prove = (header: Buffer) =>
    work === "sha256d" ? doubleSha256(header) : scryptSync(header, header, 32, { N: 1024, r: 1, p: 1 });
  const headers: Buffer[] = [];
  for (let parent: Buffer = Buffer.alloc(32); headers.length < count; ) {
    const header = Buffer.alloc(80);
    parent.copy(header, 4);
    header.writeUInt32LE(headers.length, 68);
    header.writeUInt32LE(EASIEST_BITS, 72);
    for (let nonce = 0; headers.at(-1) !== header; nonce++) {
      header.writeUInt32LE(nonce, 76);
      // The highest byte of a hash is its last one.
      if (prove(header)[31]! < 0x7f) headers.push(header);
    }
    parent = doubleSha256(header);
  }
  return headers;
}

/** The chain up to this height, followed by one block of 128 times the work of each. */
export function mineHarder(headers: readonly Buffer[], height: number): Buffer[] {
  const header = Buffer.alloc(80);
  doubleSha256(headers[height]!).copy(header, 4);
  header.writeUInt32LE(height + 1, 68);
  header.writeUInt32LE(HARDER_BITS, 72);
  for (let nonce = 0; ; nonce++) {
    header.writeUInt32LE(nonce, 76);
    if (doubleSha256(header)[31] === 0) return [...headers.slice(0, height + 1), header];
  }
}

import { keccak_256 } from "@noble/hashes/sha3.js";
import { hexToBytes } from "@noble/hashes/utils.js";

/** A block's filter has 2,048 bits. Each address and topic of its logs sets three (Ethereum yellow paper, 4.3.1). */
const BYTES = 256;
const BITS_OF_ITEM = [0, 2, 4] as const;

/** A log adds this to the filter: 0x and hex, of any case. */
export interface FilteredLog {
  readonly address: string;
  readonly topics: readonly string[];
}

/** Returns whether a block with this filter may have a log that names all of these. False is certain. */
export function mayHold(bloom: string, items: readonly string[]): boolean {
  const bytes = hexToBytes(bloom.slice(2));
  return items.every((item) => placesOf(item).every(({ at, bit }) => ((bytes[at] ?? 0) & bit) !== 0));
}

/** The filter of a block with these logs and no others. */
export function bloomOf(logs: readonly FilteredLog[]): string {
  const bytes = new Uint8Array(BYTES);
  const items = new Set(logs.flatMap(({ address, topics }) => [address, ...topics]));
  for (const item of items) for (const { at, bit } of placesOf(item)) bytes[at] = (bytes[at] ?? 0) | bit;
  return `0x${Buffer.from(bytes).toString("hex")}`;
}

function placesOf(item: string) {
  const hash = keccak_256(hexToBytes(item.slice(2)));
  return BITS_OF_ITEM.map((pair) => {
    const place = (((hash[pair] ?? 0) << 8) | (hash[pair + 1] ?? 0)) % (BYTES * 8);
    return { at: BYTES - 1 - (place >> 3), bit: 1 << (place & 7) };
  });
}

import { createHash } from "node:crypto";
import { createBase58check } from "@scure/base";

/** The first of the 21 bytes of every TRON address. */
const PREFIX = 0x41;

const base58check = createBase58check((data: Uint8Array) => createHash("sha256").update(data).digest());

/** Encodes 20 bytes of lower-case hex (0x…), as in logs and contract calls, in base58check (T…). */
export function tronAddressFromHex(hex: string): string {
  return base58check.encode(Buffer.concat([Buffer.of(PREFIX), Buffer.from(hex.slice(2), "hex")]));
}

/** Decodes a base58check address to its 20 bytes in lower-case hex (0x…). Throws on an invalid address. */
export function tronAddressToHex(address: string): string {
  const bytes = base58check.decode(address);
  if (bytes.length !== 21 || bytes[0] !== PREFIX) throw new Error("not an address of TRON");
  return `0x${Buffer.from(bytes.subarray(1)).toString("hex")}`;
}

/**
 * Returns the base58check form of an address written as T… or as 41… (21 bytes of hex). Null: not an address. 20 bytes of hex (0x…) are an
 * address of Ethereum: who pastes one has no key of it here.
 */
export function canonicalizeTronAddress(text: string): string | null {
  if (/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) {
    try {
      return tronAddressFromHex(tronAddressToHex(text));
    } catch {
      return null;
    }
  }
  const prefixed = /^(?:0x)?41([0-9a-fA-F]{40})$/.exec(text)?.[1];
  return prefixed === undefined ? null : tronAddressFromHex(`0x${prefixed.toLowerCase()}`);
}

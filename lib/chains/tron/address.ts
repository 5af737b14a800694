import { createHash } from "node:crypto";
import { createBase58check } from "@scure/base";
import { canonicalizeEvmAddress as canonicalEvmAddress } from "../evm/codec.ts";

/** First of the 21 bytes of every address of TRON's networks. */
const PREFIX = 0x41;

const base58check = createBase58check((data: Uint8Array) => createHash("sha256").update(data).digest());

/** Base58check form (T…) of 20 bytes in lower-case hex (0x…), which is how logs and contract calls carry an address. */
export function tronAddressFromHex(hex: string): string {
  return base58check.encode(Buffer.concat([Buffer.of(PREFIX), Buffer.from(hex.slice(2), "hex")]));
}

/** The 20 bytes of a base58check address in lower-case hex (0x…). Throws when it is none. */
export function tronAddressToHex(address: string): string {
  const bytes = base58check.decode(address);
  if (bytes.length !== 21 || bytes[0] !== PREFIX) throw new Error("not an address of TRON");
  return `0x${Buffer.from(bytes.subarray(1)).toString("hex")}`;
}

/**
 * The base58check form, which is the one that people see, of an address written as T…, as 41… (hex) or as 0x…
 * (20 bytes of hex). null when it is no address.
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
  const hex = prefixed === undefined ? canonicalEvmAddress(text) : `0x${prefixed.toLowerCase()}`;
  return hex === null ? null : tronAddressFromHex(hex);
}

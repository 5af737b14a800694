import { canonicalizeTronAddress, tronAddressFromHex, tronAddressToHex } from "#lib/chains/tron/address.ts";

const HEX = /^(?:[0-9a-fA-F]{2})*$/;

/** 41… in hex, or T… when the caller asked for `visible`. */
export function writeAddress(address: string, visible: boolean): string {
  return visible ? tronAddressFromHex(address) : `41${address.slice(2)}`;
}

/** Any form of an address as 20 bytes of hex. null when it is not an address. */
export function addressField(value: unknown): string | null {
  const canonical = typeof value === "string" ? canonicalizeTronAddress(value) : null;
  return canonical === null ? null : tronAddressToHex(canonical);
}

export function addressBytes(address: string): Uint8Array {
  return Buffer.from(`41${address.slice(2)}`, "hex");
}

/** Throws RangeError on bytes that are not an address. */
export function hexAddress(bytes: Uint8Array): string {
  if (bytes.length !== 21 || bytes[0] !== 0x41) throw new RangeError("not an address of TRON");
  return `0x${hex(bytes.subarray(1))}`;
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

export function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Lower-case hex without 0x. Absent is empty. null when it is not hex. */
export function hexField(value: unknown): string | null {
  if (value === undefined) return "";
  if (typeof value !== "string") return null;
  const digits = value.replace(/^0x/, "");
  return HEX.test(digits) ? digits.toLowerCase() : null;
}

/** A whole number in JSON, 0 when absent. null when it is something else. */
export function integerField(value: unknown): bigint | null {
  if (value === undefined) return 0n;
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? BigInt(number) : null;
}

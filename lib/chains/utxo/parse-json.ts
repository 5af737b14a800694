import { throwMalformed } from "../parse-json.ts";

/** Checks of what a node answered. Each throws NodeError("malformed"). */

export function parseInteger(what: string, value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throwMalformed(what, value);
  return value;
}

/** 32 bytes in display order. */
export function parseHash(what: string, value: unknown): string {
  if (typeof value !== "string" || !/^[0-9a-f]{64}$/.test(value)) throwMalformed(what, value);
  return value;
}

/** Decodes hexadecimal text. Throws on invalid text instead of cutting it off. */
export function parseHex(what: string, value: unknown): Buffer {
  if (typeof value !== "string" || value.length % 2 !== 0) throwMalformed(what, value);
  const bytes = Buffer.from(value, "hex");
  if (bytes.length * 2 !== value.length) throwMalformed(what, value);
  return bytes;
}

export function parseHashes(what: string, value: unknown): readonly string[] {
  if (!Array.isArray(value)) throwMalformed(what, value);
  return value.map((entry) => parseHash(what, entry));
}

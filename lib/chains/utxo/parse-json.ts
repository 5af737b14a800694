import { NodeError } from "../network.ts";

/** Checks of what a node answered; each throws NodeError("malformed"). */

function malformed(what: string, value: unknown): never {
  throw new NodeError("malformed", `the node sent ${what} as ${String(JSON.stringify(value)).slice(0, 80)}`);
}

export function readFields(what: string, value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) malformed(what, value);
  return value as Record<string, unknown>;
}

export function readHeight(what: string, value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) malformed(what, value);
  return value;
}

export function readInteger(what: string, value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) malformed(what, value);
  return value;
}

/** 32 bytes, as shown. */
export function readHash(what: string, value: unknown): string {
  if (typeof value !== "string" || !/^[0-9a-f]{64}$/.test(value)) malformed(what, value);
  return value;
}

/** Hexadecimal text, decoded; nothing is cut off in silence. */
export function readBytes(what: string, value: unknown): Buffer {
  if (typeof value !== "string" || value.length % 2 !== 0) malformed(what, value);
  const bytes = Buffer.from(value, "hex");
  if (bytes.length * 2 !== value.length) malformed(what, value);
  return bytes;
}

export function readHashes(what: string, value: unknown): readonly string[] {
  if (!Array.isArray(value)) malformed(what, value);
  return value.map((entry) => readHash(what, entry));
}

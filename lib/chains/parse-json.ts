import { NodeError } from "./node-error.ts";

/** Checks of parsed JSON that a node sent. Each throws NodeError("malformed"). `what` names the value in the message. */

export function throwMalformed(what: string, value: unknown): never {
  throw new NodeError("malformed", `the node sent ${what} as ${String(JSON.stringify(value)).slice(0, 80)}`);
}

export function parseFields(what: string, value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throwMalformed(what, value);
  return value as Record<string, unknown>;
}

/**
 * Checks that an answer about one transaction names it: a node, or a cache in front of it, may send the answer to another question. Hashes are
 * compared without their case. Throws NodeError("inconsistent").
 */
export function checkNamed(what: string, named: unknown, asked: string): void {
  if (typeof named === "string" && named.toLowerCase() === asked.toLowerCase()) return;
  throw new NodeError(
    "inconsistent",
    `asked for ${what} of ${asked}, the node sent that of ${String(named).slice(0, 100)}`,
  );
}

export function parseList(what: string, value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : throwMalformed(what, value);
}

/** A non-negative integer that a Number holds exactly. */
export function parseUint(what: string, value: unknown): number {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : throwMalformed(what, value);
}

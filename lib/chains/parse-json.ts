import { NodeError } from "./network.ts";

/** Checks of parsed JSON that a node sent. Each throws NodeError("malformed"). `what` names the value in the message. */

export function throwMalformed(what: string, value: unknown): never {
  throw new NodeError("malformed", `the node sent ${what} as ${String(JSON.stringify(value)).slice(0, 80)}`);
}

export function parseFields(what: string, value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throwMalformed(what, value);
  return value as Record<string, unknown>;
}

export function parseList(what: string, value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : throwMalformed(what, value);
}

/** A non-negative integer that a Number holds exactly. */
export function parseUint(what: string, value: unknown): number {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : throwMalformed(what, value);
}

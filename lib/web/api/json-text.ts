import { formatAmount } from "#lib/platform/money/amount.ts";

/** JSON kept as its text: a number as it was written, metadata as it was sent. Must be valid JSON. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What an answer is made of. Members that are undefined are left out. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | Date
  | JsonText
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined };

/** An integer of 10^-decimals as an exact JSON number. */
export function toJsonNumber(units: bigint, decimals: number): JsonText {
  return new JsonText(formatAmount(units, decimals));
}

/**
 * JSON.stringify that keeps JsonText as it is: JSON.rawJSON takes primitives only, and metadata may be an object
 * whose very text is to come back.
 */
export function writeJson(value: JsonValue): string {
  if (value instanceof JsonText) return value.text;
  if (value === null || typeof value !== "object" || value instanceof Date) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(writeJson).join(",")}]`;
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${writeJson(member)}`);
  }
  return `{${members.join(",")}}`;
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/**
 * The members of a JSON object, each value as its source text, in the order written, repeated names included.
 * null when `text` is no JSON, or no object. Numbers never pass through a float.
 */
export function parseJsonMembers(text: string): [name: string, source: string][] | null {
  const parsed = parseJson(text);
  if (!isJsonObject(parsed)) return null;
  const members: [string, string][] = [];
  let depth = 0;
  let name = "";
  let start = 0;
  // The text is known to be valid: strings and punctuation are all that is needed to find where values lie.
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:,]/g)) {
    if (depth === 1 && token.startsWith('"') && start === 0) name = JSON.parse(token);
    if (depth === 1 && token === ":") start = index + 1;
    if (depth === 1 && (token === "," || token === "}") && start > 0) {
      members.push([name, text.slice(start, index).trim()]);
      start = 0;
    }
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
  }
  return members;
}

/** The value of a JSON text, or undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True for `{…}`: no array, no null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

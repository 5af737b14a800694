import { formatAmount } from "#lib/platform/money/amount.ts";

/**
 * JSON kept as its text, for example a number as it was written or metadata as it was sent. Must be valid
 * JSON.
 */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The values of a response. Members that are undefined are left out. */
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
 * Like JSON.stringify, but writes JsonText unchanged. JSON.rawJSON accepts primitives only, and metadata may
 * be an object whose exact text must be kept.
 */
export function writeJson(value: JsonValue): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (value instanceof JsonText) return value.text;
  if (value instanceof Date) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(writeJson).join(",")}]`;
  let members = "";
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined) continue;
    members += `${members === "" ? "" : ","}${JSON.stringify(name)}:${writeJson(member)}`;
  }
  return `{${members}}`;
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Returns the place after the string that begins at `start`. Its end is the first quote after an even number of backslashes. */
function findEndOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    if (end < 0) return text.length;
    let slashes = 0;
    while (text[end - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
}

/**
 * Calls `visit` for each string of a JSON text, and for each character outside of strings: with its first character, its place and the place
 * after it. The text must be valid JSON: then strings and punctuation are enough to find the values.
 */
function visitTokens(text: string, visit: (first: string, at: number, after: number) => void): void {
  for (let at = 0; at < text.length; ) {
    const first = text.charAt(at);
    const after = first === '"' ? findEndOfString(text, at) : at + 1;
    visit(first, at, after);
    at = after;
  }
}

/** The text of a JSON string, from its valid source with the quotes. */
export function readJsonString(source: string): string {
  return source.includes("\\") ? JSON.parse(source) : source.slice(1, -1);
}

/**
 * The members of a JSON object, each with the source text of its value, in their order, repeated names
 * included. null if `text` is not JSON or not an object. Numbers never become floats.
 */
export function parseJsonMembers(text: string): [name: string, source: string][] | null {
  const parsed = parseJson(text);
  if (!isJsonObject(parsed)) return null;
  const members: [string, string][] = [];
  let depth = 0;
  let name = "";
  let start = 0;
  visitTokens(text, (first, at, after) => {
    if (depth === 1 && first === '"' && start === 0) name = readJsonString(text.slice(at, after));
    if (depth === 1 && first === ":") start = after;
    if (depth === 1 && (first === "," || first === "}") && start > 0) {
      members.push([name, text.slice(start, at).trim()]);
      start = 0;
    }
    if (first === "{" || first === "[") depth += 1;
    if (first === "}" || first === "]") depth -= 1;
  });
  return members;
}

/** The source texts of the elements of a JSON array, in their order. null if `text` is not JSON or not an array. */
export function parseJsonElements(text: string): string[] | null {
  const parsed = parseJson(text);
  if (!Array.isArray(parsed)) return null;
  const elements: string[] = [];
  let depth = 0;
  let start = 0;
  visitTokens(text, (first, at, after) => {
    if (first === "{" || first === "[") depth += 1;
    if (depth === 1 && (first === "[" || first === "," || first === "]")) {
      if (first !== "[" && parsed.length > 0) elements.push(text.slice(start, at).trim());
      start = after;
    }
    if (first === "}" || first === "]") depth -= 1;
  });
  return elements;
}

/** The value of a JSON text, or undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True for a JSON object, false for an array or null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

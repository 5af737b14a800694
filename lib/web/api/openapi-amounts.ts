import { isJsonObject } from "#lib/platform/json-text.ts";
import { type AmountPlaces, ANSWER_TYPES, findAmountPlaces, writeAmountsAsStrings } from "./amount-form.ts";

type Json = Record<string, unknown>;
interface Operation {
  readonly responses: Readonly<Record<string, { content?: Record<string, Json> }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

/** Amounts can be negative in the history, and have no exponent. */
const DECIMAL = "^-?(?:0|[1-9][0-9]*)(?:[.][0-9]+)?$";

/**
 * Turns the document, in place, into that of answers whose amounts are strings. Their media type asks for them: generated
 * clients send the media type of the answers in Accept.
 */
export function describeAmountsAsStrings(document: object): void {
  const { paths, components } = document as Document;
  const places = findAmountPlaces(document);
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      for (const response of Object.values(responses)) {
        const content = response.content?.[ANSWER_TYPES.number];
        if (content === undefined) continue;
        if (content.example !== undefined)
          content.example = quoteExample(content.example, places.get(`${method.toUpperCase()} ${path}`));
        response.content = { [ANSWER_TYPES.string]: content };
      }
    }
  }
  describeAsStrings(paths);
  describeAsStrings(components.schemas);
}

function quoteExample(example: unknown, places: AmountPlaces | undefined): unknown {
  return JSON.parse(writeAmountsAsStrings(JSON.stringify(example), places));
}

function describeAsStrings(node: unknown): void {
  if (Array.isArray(node)) node.forEach(describeAsStrings);
  if (!isJsonObject(node)) return;
  if (node["x-decimal"] === true) {
    const isNullable = Array.isArray(node.type);
    Object.assign(node, { type: isNullable ? ["string", "null"] : "string", pattern: DECIMAL });
    delete node.format;
    if (typeof node.example === "number") node.example = String(node.example);
  }
  for (const [name, child] of Object.entries(node)) {
    if (name !== "example" && name !== "examples") describeAsStrings(child);
  }
}

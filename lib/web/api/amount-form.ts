import { isJsonObject, parseJsonElements, parseJsonMembers } from "#lib/platform/json-text.ts";

/**
 * The two forms of the amounts in answers. "number": a JSON number with all its digits, as the interface document has it.
 * "string": the same digits as a JSON string, because parsers of most languages round a number to a 64-bit float.
 */
export type AmountForm = "number" | "string";

/** The media type of answers by the form of their amounts. A request asks for strings with this in its Accept header. */
export const ANSWER_TYPES: Readonly<Record<AmountForm, string>> = {
  number: "application/json",
  string: "application/json; amounts=string",
};

/** The places of amounts in a body: member names that lead to them, "*" for every other member or every item of a list. */
export interface AmountPlaces {
  readonly [member: string]: AmountPlaces | true;
}

type Json = Record<string, unknown>;

/** The form that an Accept header asks for. */
export function readAmountForm(accept: string | undefined): AmountForm {
  const ranges = (accept ?? "").toLowerCase().replaceAll('"', "").split(",");
  const asks = ranges.some((range) => {
    const [type, ...parameters] = range.split(";").map((part) => part.trim());
    return type === "application/json" && parameters.includes("amounts=string");
  });
  return asks ? "string" : "number";
}

/** The body with its amounts as strings. Every other value keeps its text, metadata too. */
export function writeAmountsAsStrings(body: string, places: AmountPlaces | true | undefined): string {
  if (places === undefined) return body;
  if (places === true) return /^[-0-9]/.test(body) ? `"${body}"` : body;
  if (body.startsWith("[")) {
    const items = parseJsonElements(body) ?? [];
    return `[${items.map((item) => writeAmountsAsStrings(item, places["*"])).join(",")}]`;
  }
  const members = body.startsWith("{") ? parseJsonMembers(body) : null;
  if (members === null) return body;
  const written = members.map(([name, value]) => {
    const place = Object.hasOwn(places, name) ? places[name] : places["*"];
    return `${JSON.stringify(name)}:${writeAmountsAsStrings(value, place)}`;
  });
  return `{${written.join(",")}}`;
}

/** The places of amounts in the success of each operation of an OpenAPI document, by "GET /path". */
export function findAmountPlaces(document: object): ReadonlyMap<string, AmountPlaces> {
  const { paths } = document as { paths: Record<string, Json> };
  const all = new Map<string, AmountPlaces>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const { responses } = operation as {
        responses: Record<string, { content: Record<string, { schema: unknown }> }>;
      };
      const [content] = Object.values(responses["200"]?.content ?? {});
      const places = findPlaces(document as Json, content?.schema);
      if (places !== null && places !== true) all.set(`${method.toUpperCase()} ${path}`, places);
    }
  }
  return all;
}

function findPlaces(document: Json, schema: unknown): AmountPlaces | true | null {
  if (!isJsonObject(schema)) return null;
  if (typeof schema.$ref === "string") return findPlaces(document, resolveRef(document, schema.$ref));
  if (schema["x-decimal"] === true) return true;
  const found: Record<string, AmountPlaces | true> = {};
  const addMember = (member: string, places: AmountPlaces | true | null) => {
    if (places !== null) found[member] = places;
  };
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    addMember(name, findPlaces(document, property));
  }
  addMember("*", findPlaces(document, schema.items) ?? findPlaces(document, schema.additionalProperties));
  return Object.keys(found).length > 0 ? found : null;
}

function resolveRef(document: Json, ref: string): unknown {
  const steps = ref.replace(/^#\//, "").split("/");
  return steps.reduce<unknown>((node, step) => (node as Json)[step], document);
}

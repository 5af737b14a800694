import { isJsonObject } from "./json-text.ts";
import { PATH_PARAMETERS } from "./openapi-text.ts";

type Json = Record<string, unknown>;

/**
 * Finishes what the schemas alone do not say, in place: a number of an answer that is no integer is an exact decimal,
 * and a body has an example, put together from those of its fields.
 */
export function completeApiDocument(document: object): void {
  const { paths, components } = document as { paths: Json; components: Json };
  markDecimals(components.schemas);
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path as Json))) {
    const { responses, requestBody } = operation as { responses: Json; requestBody?: { content: Json } };
    markDecimals(responses);
    for (const [type, content] of Object.entries(requestBody?.content ?? {})) {
      exemplify(type, content as Json);
    }
  }
}

function markDecimals(node: unknown): void {
  if (Array.isArray(node)) node.forEach(markDecimals);
  if (!isJsonObject(node)) return;
  if ([node.type].flat().includes("number") && node.format === undefined) node.format = "decimal";
  for (const [name, child] of Object.entries(node)) {
    if (name !== "example" && name !== "examples") markDecimals(child);
  }
}

/** Of the fields that have an example, or whose name has one in paths; a form sends texts. */
function exemplify(type: string, content: Json): void {
  const { properties = {} } = content.schema as { properties?: Record<string, Json> };
  const form = type !== "application/json";
  const values = Object.entries(properties).flatMap(([name, property]) => {
    property.example ??= PATH_PARAMETERS[name]?.example;
    const { example } = property;
    return example === undefined ? [] : [[name, example] as const];
  });
  if (values.length === 0) return;
  content.example = Object.fromEntries(
    values.map(([name, value]) => [name, form && typeof value !== "string" ? JSON.stringify(value) : value]),
  );
}

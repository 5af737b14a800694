import { isJsonObject } from "#lib/platform/json-text.ts";
import { PATH_PARAMETERS } from "./openapi-text.ts";

type Json = Record<string, unknown>;

/**
 * Adds to the document, in place, what the schemas cannot say. Numbers of responses that are not integers get
 * `format: decimal`. Request bodies get an example, made from the examples of their fields.
 */
export function completeApiDocument(document: object): void {
  const { paths, components } = document as { paths: Json; components: Json };
  markDecimals(components.schemas);
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path as Json))) {
    const { responses, requestBody } = operation as { responses: Json; requestBody?: { content: Json } };
    markDecimals(responses);
    for (const [type, content] of Object.entries(requestBody?.content ?? {})) {
      addExample(type, content as Json);
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

/** Uses the examples of the fields, or of path parameters with the same name. A form has texts only. */
function addExample(type: string, content: Json): void {
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

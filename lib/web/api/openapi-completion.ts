import { isJsonObject } from "#lib/platform/json-text.ts";
import { composeExample } from "./openapi-examples.ts";
import { PATH_PARAMETERS } from "./openapi-text.ts";
import { completeEventExample } from "./openapi-webhooks.ts";

type Json = Record<string, unknown>;
interface Operation {
  readonly parameters?: readonly Json[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Json>> };
  readonly responses: Json;
}
interface Document {
  readonly paths: Readonly<Record<string, Json>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

/**
 * Adds to the document, in place, what the schemas cannot say:
 * - Numbers of responses that are not integers are exact decimals: `x-decimal`. Their format is `double`, because some
 *   generators of clients read a number without a format as a 32-bit float.
 * - A query parameter may be empty. A required text may not: that counts as absent.
 * - Requests, successes and webhooks get an example, made from the examples of their fields.
 */
export function completeApiDocument(document: object): void {
  const { paths, webhooks, components } = document as Document;
  markDecimals(components.schemas);
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path) as Operation[])) {
    markDecimals(operation.responses);
    for (const parameter of operation.parameters ?? []) {
      if (parameter.in === "query") parameter.allowEmptyValue = true;
    }
    for (const content of Object.values(operation.requestBody?.content ?? {})) {
      refuseEmptyTexts(content.schema as Json);
      addExample(content);
    }
    const success = readContent(operation.responses["200"]);
    success.example = composeExample(components.schemas, success.schema as Json);
  }
  for (const [type, { post }] of Object.entries(webhooks)) {
    const event = readContent(post.requestBody);
    event.example = completeEventExample(
      type,
      composeExample(components.schemas, event.schema as Json) as Json,
    );
  }
}

/** The JSON content of a request or response. */
function readContent(owner: unknown): Json {
  return (owner as { content: Record<string, Json> }).content["application/json"] ?? {};
}

function markDecimals(node: unknown): void {
  if (Array.isArray(node)) node.forEach(markDecimals);
  if (!isJsonObject(node)) return;
  if ([node.type].flat().includes("number")) Object.assign(node, { format: "double", "x-decimal": true });
  for (const [name, child] of Object.entries(node)) {
    if (name !== "example" && name !== "examples") markDecimals(child);
  }
}

function refuseEmptyTexts({ properties, required = [] }: Json): void {
  for (const name of required as string[]) {
    const field = (properties as Record<string, Json>)[name];
    if (field?.type === "string" && !field.enum && !field.pattern) field.minLength = 1;
  }
}

/** Uses the examples of the fields, or of path parameters with the same name. */
function addExample(content: Json): void {
  const { properties = {} } = content.schema as { properties?: Record<string, Json> };
  const values = Object.entries(properties).flatMap(([name, property]) => {
    property.example ??= PATH_PARAMETERS[name]?.example;
    const { example } = property;
    return example === undefined ? [] : [[name, example] as const];
  });
  if (values.length > 0) content.example = Object.fromEntries(values);
}

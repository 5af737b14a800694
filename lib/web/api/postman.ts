import { KEY_HEADERS } from "./authenticate.ts";
import type { ApiDocument } from "./openapi.ts";
import { composeBody } from "./openapi-samples.ts";

type Json = Record<string, unknown>;
interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly example?: unknown;
    readonly schema?: { readonly example?: unknown; readonly description?: string };
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Json>> };
}

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/**
 * The document as a Postman collection 2.1, with a folder for each tag. The variable `test_key` is empty and `base_url` is the local
 * server: the user of the collection sets them.
 */
export function composePostmanCollection(document: ApiDocument): Json {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
      tag: operation.tags?.[0] ?? "",
      item: composeItem(path, method, { ...operation, body: findBody(document, operation) }),
    })),
  );
  const folders = [...Map.groupBy(operations, ({ tag }) => tag)].map(([name, own]) => ({
    name,
    description: document.tags?.find((tag) => tag.name === name)?.description ?? "",
    item: own.map(({ item }) => item),
  }));
  return {
    info: { name: document.info.title, description: document.info.description, schema: SCHEMA },
    auth: {
      type: "apikey",
      apikey: [
        { key: "key", value: KEY_HEADERS.test, type: "string" },
        { key: "value", value: "{{test_key}}", type: "string" },
        { key: "in", value: "header", type: "string" },
      ],
    },
    variable: [
      { key: "base_url", value: "http://127.0.0.1:3000/v1" },
      { key: "test_key", value: "" },
    ],
    item: folders,
  };
}

/** The required fields of the example of a request. undefined: the call has no body. */
function findBody({ components }: ApiDocument, { requestBody }: Operation): unknown {
  const content = requestBody?.content["application/json"];
  if (content === undefined) return undefined;
  const { $ref } = content.schema as { readonly $ref?: string };
  const named = components?.schemas?.[$ref?.split("/").at(-1) ?? ""];
  return composeBody({ ...content, schema: named ?? content.schema });
}

function composeItem(path: string, method: string, operation: Operation & { readonly body: unknown }): Json {
  const { summary = path, description = "", parameters = [], body, security } = operation;
  const given = (place: string) =>
    parameters
      .filter((one) => one.in === place)
      .map(({ name, required, example, schema, ...one }) => ({
        key: name,
        value: String(example ?? schema?.example ?? ""),
        description: one.description ?? schema?.description ?? "",
        // Postman does not send what is disabled.
        ...(place !== "path" && required !== true && { disabled: true }),
      }));
  const postmanPath = path.replaceAll(/\{([^}]+)\}/g, ":$1");
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      description,
      header: [
        ...(body === undefined ? [] : [{ key: "content-type", value: "application/json" }]),
        ...given("header"),
      ],
      url: {
        raw: `{{base_url}}${postmanPath}`,
        host: ["{{base_url}}"],
        path: postmanPath.split("/").slice(1),
        query: given("query"),
        variable: given("path"),
      },
      ...(body !== undefined && { body: { mode: "raw", raw: JSON.stringify(body, null, 2) } }),
      ...(security?.length === 0 && { auth: { type: "noauth" } }),
    },
  };
}

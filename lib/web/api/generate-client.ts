import { writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { isJsonObject } from "#lib/platform/json-text.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { buildApiDocument } from "./openapi.ts";

const HEADER = "// Generated from the OpenAPI document. Do not edit. Run `npm run client` to update it.\n";
const FOLDER = new URL("../../../packages/client/src/", import.meta.url);

type Json = Record<string, unknown>;
/** The type DecimalPlaces of packages/client/src/exact-json.ts. */
interface Places {
  [member: string]: Places | true;
}

/** The generated files of packages/client, by name. */
export async function generateClientFiles(): Promise<ReadonlyMap<string, string>> {
  const document = JSON.parse(
    JSON.stringify(buildApiDocument(ENDPOINTS), (name, value) =>
      isBodyExample(name, value) ? undefined : value,
    ),
  ) as Json;
  return new Map([
    ["schema.ts", HEADER + (await writeSchema(document))],
    ["decimals.ts", HEADER + writeDecimals(document)],
  ]);
}

/** Examples of whole bodies would double the size of the types. */
function isBodyExample(name: string, value: unknown): boolean {
  return name === "examples" || (name === "example" && isJsonObject(value));
}

/**
 * Types of paths, bodies and responses. Decimals of responses are strings, because the client returns
 * strings.
 */
async function writeSchema(document: Json): Promise<string> {
  const { factory } = ts;
  const stringType = factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);
  const nodes = await openapiTS(JSON.stringify(document), {
    transform: (schema) => {
      if (!("x-decimal" in schema)) return undefined;
      const { type } = schema;
      const nullable = [type].flat().some((one) => one === "null");
      return nullable
        ? factory.createUnionTypeNode([stringType, factory.createLiteralTypeNode(factory.createNull())])
        : stringType;
    },
  });
  return astToString(nodes);
}

/** The places of decimals in the success response of each operation. */
function writeDecimals(document: Json): string {
  const all: Record<string, Places | true> = {};
  for (const [path, operations] of Object.entries(document.paths as Record<string, Json>)) {
    for (const [method, operation] of Object.entries(operations)) {
      const { responses } = operation as {
        responses: Record<string, { content: Record<string, { schema: unknown }> }>;
      };
      const places = findDecimals(document, responses["200"]?.content["application/json"]?.schema);
      if (places !== null) all[`${method.toUpperCase()} ${path}`] = places;
    }
  }
  const type = "Readonly<Record<string, DecimalPlaces>>";
  const value = JSON.stringify(all, null, 2);
  return `import type { DecimalPlaces } from "./exact-json.ts";\n\nexport const DECIMALS: ${type} = ${value};\n`;
}

function findDecimals(document: Json, schema: unknown): Places | true | null {
  if (!isJsonObject(schema)) return null;
  if (typeof schema.$ref === "string") return findDecimals(document, resolveRef(document, schema.$ref));
  if (schema["x-decimal"] === true) return true;
  const found: Places = {};
  const addMember = (member: string, places: Places | true | null) => {
    if (places !== null) found[member] = places;
  };
  for (const part of [schema.allOf, schema.anyOf, schema.oneOf].flatMap((parts) => parts ?? [])) {
    const places = findDecimals(document, part);
    if (places === true) return true;
    Object.assign(found, places);
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    addMember(name, findDecimals(document, property));
  }
  addMember("*", findDecimals(document, schema.items) ?? findDecimals(document, schema.additionalProperties));
  return Object.keys(found).length > 0 ? found : null;
}

function resolveRef(document: Json, ref: string): unknown {
  const steps = ref.replace(/^#\//, "").split("/");
  return steps.reduce<unknown>((node, step) => (node as Json)[step], document);
}

if (import.meta.main) {
  for (const [name, text] of await generateClientFiles()) writeFileSync(new URL(name, FOLDER), text);
}

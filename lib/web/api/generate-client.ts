import { writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { ENDPOINTS } from "./endpoints.ts";
import { isJsonObject } from "./json-text.ts";
import { buildApiDocument } from "./openapi.ts";

const HEADER = "// Generated from the OpenAPI document. Do not edit: `npm run client` writes it anew.\n";
const FOLDER = new URL("../../client/", import.meta.url);

type Json = Record<string, unknown>;
/** What lib/client/exact-json.ts calls DecimalPlaces. */
interface Places {
  [member: string]: Places | true;
}

/** The files of lib/client that follow from the OpenAPI document, by name. */
export async function generateClientFiles(): Promise<ReadonlyMap<string, string>> {
  const document = JSON.parse(JSON.stringify(buildApiDocument(ENDPOINTS))) as Json;
  return new Map([
    ["schema.ts", HEADER + (await schemaText(document))],
    ["decimals.ts", HEADER + decimalsText(document)],
  ]);
}

/** Types of paths, bodies and answers. Decimals of answers are strings: so the client gives them. */
async function schemaText(document: Json): Promise<string> {
  const { factory } = ts;
  const text = factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);
  const nodes = await openapiTS(JSON.stringify(document), {
    transform: ({ format, type }) => {
      if (format !== "decimal") return undefined;
      const nullable = [type].flat().some((one) => one === "null");
      return nullable
        ? factory.createUnionTypeNode([text, factory.createLiteralTypeNode(factory.createNull())])
        : text;
    },
  });
  return astToString(nodes);
}

/** Where the decimals of each operation's success are. */
function decimalsText(document: Json): string {
  const all: Record<string, Places | true> = {};
  for (const [path, operations] of Object.entries(document.paths as Record<string, Json>)) {
    for (const [method, operation] of Object.entries(operations)) {
      const { responses } = operation as {
        responses: Record<string, { content: Record<string, { schema: unknown }> }>;
      };
      const places = placesOf(document, responses["200"]?.content["application/json"]?.schema);
      if (places !== null) all[`${method.toUpperCase()} ${path}`] = places;
    }
  }
  const type = "Readonly<Record<string, DecimalPlaces>>";
  const value = JSON.stringify(all, null, 2);
  return `import type { DecimalPlaces } from "./exact-json.ts";\n\nexport const DECIMALS: ${type} = ${value};\n`;
}

function placesOf(document: Json, schema: unknown): Places | true | null {
  if (!isJsonObject(schema)) return null;
  if (typeof schema.$ref === "string") return placesOf(document, resolve(document, schema.$ref));
  if (schema.format === "decimal") return true;
  const found: Places = {};
  const enter = (member: string, places: Places | true | null) => {
    if (places !== null) found[member] = places;
  };
  for (const part of [schema.allOf, schema.anyOf, schema.oneOf].flatMap((parts) => parts ?? [])) {
    const places = placesOf(document, part);
    if (places === true) return true;
    Object.assign(found, places);
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    enter(name, placesOf(document, property));
  }
  enter("*", placesOf(document, schema.items) ?? placesOf(document, schema.additionalProperties));
  return Object.keys(found).length > 0 ? found : null;
}

function resolve(document: Json, ref: string): unknown {
  const steps = ref.replace(/^#\//, "").split("/");
  return steps.reduce<unknown>((node, step) => (node as Json)[step], document);
}

if (import.meta.main) {
  for (const [name, text] of await generateClientFiles()) writeFileSync(new URL(name, FOLDER), text);
}

import { writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { isJsonObject } from "#lib/platform/json-text.ts";
import { findAmountPlaces } from "./amount-form.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { buildApiDocument } from "./openapi.ts";

const HEADER = "// Generated from the OpenAPI document. Do not edit. Run `npm run client` to update it.\n";
const FOLDER = new URL("../../../packages/client/src/", import.meta.url);

type Json = Record<string, unknown>;

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
  const type = "Readonly<Record<string, DecimalPlaces>>";
  const value = JSON.stringify(Object.fromEntries(findAmountPlaces(document)), null, 2);
  return `import type { DecimalPlaces } from "./exact-json.ts";\n\nexport const DECIMALS: ${type} = ${value};\n`;
}

if (import.meta.main) {
  for (const [name, text] of await generateClientFiles()) writeFileSync(new URL(name, FOLDER), text);
}

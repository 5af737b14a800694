import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { ENDPOINTS } from "#lib/api/endpoints.ts";
import { apiDocument } from "#lib/api/openapi.ts";

const document = apiDocument(ENDPOINTS);
const operations = Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods));

test("the document is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)));
  assert.deepEqual(
    { valid, errors, version: validator.version },
    { valid: true, errors: undefined, version: "3.1" },
  );
});

test("every endpoint is an operation of its own", () => {
  assert.equal(operations.length, ENDPOINTS.length);
  assert.deepEqual(
    operations.map(({ operationId }) => operationId),
    ENDPOINTS.map(({ doc }) => doc.operationId),
  );
  assert.equal(new Set(ENDPOINTS.map(({ doc }) => doc.operationId)).size, ENDPOINTS.length);
});

test("every field that must be sent has an example, and so has every body", () => {
  const without = operations.flatMap(({ operationId, requestBody }) => {
    const { schema = {}, example } = requestBody?.content?.["application/json"] ?? {};
    const { properties = {}, required = [] } = schema as {
      properties?: Record<string, { example?: unknown }>;
      required?: string[];
    };
    const bare = required.filter((name) => properties[name]?.example === undefined);
    const missing = Object.keys(properties).length > 0 && example === undefined ? ["the body"] : [];
    return [...bare, ...missing].map((what) => `${operationId}: ${what}`);
  });
  assert.deepEqual(without, []);
});

test("numbers of answers are integers, or exact decimals and say so", () => {
  const unsaid: string[] = [];
  const look = (node: unknown, where: string): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, format } = node as { type?: string | string[]; format?: string };
    if ([type].flat().includes("number") && format !== "decimal") unsaid.push(where);
    for (const [name, child] of Object.entries(node)) look(child, `${where}/${name}`);
  };
  for (const { operationId, responses } of operations) look(responses, operationId ?? "");
  look(document.components?.schemas, "schemas");
  assert.deepEqual(unsaid, []);
});

test("the body of a payment link is described by the schema that reads it", () => {
  const { paths = {} } = document;
  const operation = paths["/payment-links"]?.post;
  const body = operation?.requestBody as {
    content: Record<
      string,
      { schema: { properties: Record<string, { type: unknown }>; required: string[] } }
    >;
  };
  const schema = body.content["application/json"]?.schema;
  assert.deepEqual(schema?.required, [
    "amount",
    "customer_details",
    "payment_reference",
    "success_url",
    "cancel_url",
  ]);
  assert.deepEqual(
    Object.entries(schema?.properties ?? {}).map(([name, { type }]) => [name, type]),
    [
      ["amount", ["number", "string"]],
      ["customer_details", ["string", "object"]],
      ["payment_reference", "string"],
      ["success_url", "string"],
      ["cancel_url", "string"],
      ["expires_at", "string"],
      ["metadata", ["string", "object", "array", "number", "boolean"]],
      ["amount_currency", "string"],
      ["wallets", ["string", "array"]],
    ],
  );
  assert.deepEqual(operation?.security, [{ live: [] }, { test: [] }]);
  assert.deepEqual(
    Object.keys(operation?.responses ?? {}).map(Number),
    [200, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500],
  );
});

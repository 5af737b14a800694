import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { EVENT_TYPES } from "#lib/domain/webhooks/events.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { buildApiDocument } from "#lib/web/api/openapi.ts";

const document = buildApiDocument(ENDPOINTS);
/** The component that a schema refers to. */
const component = ({ $ref = "" }: { readonly $ref?: string }) =>
  (document.components?.schemas?.[$ref.replace("#/components/schemas/", "")] ?? {}) as {
    readonly properties?: object;
    readonly example?: unknown;
  };
const operations = Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods));

test("the document is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)));
  assert.deepEqual(
    { valid, errors, version: validator.version },
    { valid: true, errors: undefined, version: "3.1" },
  );
});

test("every endpoint is one operation", () => {
  assert.equal(operations.length, ENDPOINTS.length);
  assert.deepEqual(
    operations.map(({ operationId }) => operationId),
    ENDPOINTS.map(({ operationId }) => operationId),
  );
  assert.equal(new Set(ENDPOINTS.map(({ operationId }) => operationId)).size, ENDPOINTS.length);
});

test("every event type is a webhook with the schema of its data", () => {
  assert.deepEqual(Object.keys(document.webhooks ?? {}), EVENT_TYPES);
  const names = Object.keys(document.components?.schemas ?? {}).filter((name) => name.endsWith("EventData"));
  assert.deepEqual(names, [
    "PaymentLinkEventData",
    "DepositEventData",
    "SmallDepositsEventData",
    "WithdrawalEventData",
    "RefundEventData",
    "WebhookEndpointEventData",
  ]);
});

test("every required field and every body has an example", () => {
  const without = operations.flatMap(({ operationId, requestBody }) => {
    const { schema = {}, example } = requestBody?.content?.["application/json"] ?? {};
    const { properties = {}, required = [] } = component(schema) as {
      properties?: Record<string, { example?: unknown; $ref?: string }>;
      required?: string[];
    };
    const bare = required.filter((name) => {
      const field = properties[name];
      return (field?.$ref === undefined ? field : component(field))?.example === undefined;
    });
    const missing = Object.keys(properties).length > 0 && example === undefined ? ["the body"] : [];
    return [...bare, ...missing].map((what) => `${operationId}: ${what}`);
  });
  assert.deepEqual(without, []);
});

test("numbers of responses are integers or exact decimals", () => {
  const unsaid: string[] = [];
  const look = (node: unknown, where: string): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, format } = node as { type?: string | string[]; format?: string };
    const marked = format === "double" && "x-decimal" in node;
    if ([type].flat().includes("number") && !marked) unsaid.push(where);
    for (const [name, child] of Object.entries(node)) look(child, `${where}/${name}`);
  };
  for (const { operationId, responses } of operations) look(responses, operationId ?? "");
  look(document.components?.schemas, "schemas");
  assert.deepEqual(unsaid, []);
});

test("the body of a payment link is described by the schema that reads it", () => {
  const { paths = {} } = document;
  const operation = paths["/payment-links"]?.post;
  const body = operation?.requestBody as { content: Record<string, { schema: { $ref: string } }> };
  const schema = component(body.content["application/json"]?.schema ?? {}) as {
    properties: Record<string, { type?: unknown; $ref?: string }>;
    required: string[];
  };
  const required = ["amount", "customer_details", "payment_reference", "success_url", "cancel_url"];
  assert.deepEqual(schema.required, required);
  assert.deepEqual(
    Object.entries(schema.properties).map(([name, { type, $ref }]) => [name, $ref ?? type]),
    [
      ["amount", "string"],
      ["customer_details", "#/components/schemas/CreatePaymentLinkRequestCustomerDetails"],
      ["payment_reference", "string"],
      ["success_url", "string"],
      ["cancel_url", "string"],
      ["expires_at", "string"],
      ["metadata", undefined],
      ["amount_currency", "string"],
      ["wallets", "array"],
      ["pairs", "array"],
      ["description", "string"],
      ["items", "array"],
    ],
  );
  assert.deepEqual(operation?.security, [{ live: [] }, { test: [] }]);
  assert.deepEqual(
    Object.keys(operation?.responses ?? {}).map(Number),
    [200, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 502, 503],
  );
});

test("rate limit headers are described where an accepted key can get the status, and nowhere else", () => {
  const announced = (operationId: string) => {
    const { responses = {} } = operations.find((one) => one.operationId === operationId) ?? {};
    return Object.entries(responses as Record<string, { headers: object }>)
      .filter(([, { headers }]) => "RateLimit" in headers)
      .map(([status]) => Number(status));
  };
  assert.deepEqual(announced("getTokens"), [200, 429]);
  assert.deepEqual(announced("getDeposit"), [200, 400, 404, 429]);
  assert.deepEqual(announced("getHistory"), [200, 400, 403, 413, 415, 429]);
  assert.deepEqual(announced("retriggerWebhooks"), [200, 400, 409, 413, 415, 429, 500]);
  assert.deepEqual(announced("getSupportedNetworks"), []);
});

test("path parameters are described per operation", () => {
  const parameter = (operationId: string) => {
    const { parameters = [] } = operations.find((one) => one.operationId === operationId) ?? {};
    const [first] = parameters as { in: string; required: boolean; schema: object }[];
    assert.deepEqual([first?.in, first?.required], ["path", true]);
    return first?.schema as { example: string; enum?: string[] };
  };
  assert.match(parameter("getWithdrawalByRefid").example, /^[0-9]+$/);
  assert.match(parameter("getPaymentLink").example, /^[1-9A-HJ-NP-Za-km-z]{22}$/);
  const { enum: networks, example } = parameter("requeryTransaction");
  assert.deepEqual(networks?.includes("xrp"), true);
  assert.deepEqual([networks?.includes("dogecoin"), networks?.includes(example)], [false, true]);
  const requery = operations.find(({ operationId }) => operationId === "requeryTransaction");
  const { schema } = requery?.requestBody?.content?.["application/json"] ?? {};
  assert.deepEqual(Object.keys(component(schema ?? {}).properties ?? {}), ["tx_hash"]);
});

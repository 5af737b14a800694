import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { JsonText } from "#lib/platform/json-text.ts";
import type { ApiEndpoint } from "#lib/web/api/endpoint.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { toApiResponse } from "#lib/web/api/envelope.ts";
import { type ApiReason, ERRORS } from "#lib/web/api/errors.ts";
import { createFieldReader, type FieldsSchema } from "#lib/web/api/field-reader.ts";
import { buildApiDocument } from "#lib/web/api/openapi.ts";
import type { FieldValue } from "#lib/web/api/read-body.ts";
import { checkEventData } from "#tests/support/check-event-data.ts";
import { checkResponse } from "#tests/support/openapi-check.ts";

interface Body {
  readonly schema: object;
  readonly example?: Record<string, unknown>;
  readonly examples?: Readonly<Record<string, { readonly value: { readonly message: string } }>>;
}
interface Content {
  readonly content: Readonly<Record<string, Body>>;
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

const document = JSON.parse(JSON.stringify(buildApiDocument(ENDPOINTS))) as {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: object;
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    ...operation,
  })),
);
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
const isValid = (schema: object, value: unknown) =>
  ajv.validate({ ...schema, components: document.components }, value) || ajv.errorsText();
const json = ({ content }: Content) => content["application/json"] as Body;

test("every success has an example that its schema allows", () => {
  for (const { operationId, method, path, responses } of operations) {
    const { example } = json(responses["200"] as Content);
    assert.ok(example, `${operationId} has no example`);
    checkResponse(method, path, 200, example, new Headers());
  }
});

test("every body of a request has an example that its schema allows", () => {
  for (const { operationId, requestBody } of operations) {
    for (const [type, { schema, example }] of Object.entries(requestBody?.content ?? {}))
      if (example !== undefined) assert.equal(isValid(schema, example), true, `${operationId} ${type}`);
  }
});

test("every event has an example of its own that its schema allows", () => {
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const { schema, example } = json(post.requestBody as Content);
    assert.equal(isValid(schema, example), true, type);
    checkEventData(type, JSON.stringify(example));
  }
});

test("an example of a refusal is a text that the API sends: no placeholder, and the names of fields", () => {
  let named = 0;
  for (const [index, { operationId, method, path, requestBody, responses }] of operations.entries()) {
    const sent = sentTexts(ENDPOINTS[index] as ApiEndpoint, requestBody && json(requestBody).example);
    for (const [status, response] of Object.entries(responses)) {
      for (const [reason, { value }] of Object.entries(json(response).examples ?? {})) {
        checkResponse(method, path, Number(status), value, new Headers());
        assert.doesNotMatch(value.message, /\{|\(\)/, `${operationId} ${reason}`);
        if (!isOfField(reason as ApiReason)) continue;
        named += 1;
        assert.ok(sent.has(value.message), `${operationId} ${reason}: ${value.message}`);
      }
    }
  }
  assert.ok(named > 20, String(named));
});

/** Reasons of one field that are found without a database. */
function isOfField(reason: ApiReason): boolean {
  const elsewhere: ApiReason[] = [
    "duplicate_field",
    "path_value_missing",
    "unsupported_character",
    "not_a_flag",
    "link_not_cancelable",
    "setting_malformed",
  ];
  return (
    ERRORS[reason].message.includes("{name}") && !elsewhere.includes(reason) && !reason.includes("_trade_")
  );
}

const ADA = { email: "ada@example.com", first_name: "Ada", last_name: "Obi" };
const asText = (value: unknown) => new JsonText(JSON.stringify(value));
/** Wrong values for any field: absent, of another type, too long, or a customer with a wrong member. */
const WRONG: readonly (FieldValue | undefined)[] = [
  undefined,
  asText(5),
  "x",
  "x".repeat(600),
  asText({ ...ADA, email: undefined }),
  asText({ ...ADA, email: "ada" }),
  asText({ ...ADA, email: `${"a".repeat(300)}@example.com` }),
  asText({ ...ADA, phone: 5 }),
];

/** The messages of an endpoint when one field of `example` after the other is wrong. */
function sentTexts({ body, query }: ApiEndpoint, example: object = {}): ReadonlySet<string> {
  const schema: FieldsSchema | undefined = body?.("live") ?? query;
  const right = new Map(
    Object.entries({ network: "bep20", ...example }).map(([name, value]): [string, FieldValue] => [
      name,
      typeof value === "string" ? value : asText(value),
    ]),
  );
  const texts = new Set<string>();
  if (schema === undefined) return texts;
  const read = createFieldReader(schema);
  for (const name of Object.keys(schema.shape)) {
    for (const wrong of WRONG) {
      const fields = new Map(right);
      if (wrong === undefined) fields.delete(name);
      else fields.set(name, wrong);
      const result = read(fields);
      if (!result.ok) texts.add((JSON.parse(toApiResponse(result).body) as { message: string }).message);
    }
  }
  return texts;
}

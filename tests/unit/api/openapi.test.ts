import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { createApi } from "#lib/api/app.ts";
import { openDatabase } from "#lib/db/connection.ts";
import { openRates } from "#lib/rates/open-rates.ts";

test("every endpoint enters the OpenAPI document from the schemas that validate it", () => {
  const log = pino({ enabled: false });
  const app = createApi({
    database: openDatabase("postgres://localhost/none"),
    networks: { get: () => null, list: () => [], all: () => [] },
    rates: openRates({ fixed: "usdt/usd=1", log }),
    settings: { paymentUrl: "https://pay.example.com", quoteMinutes: 20, confirmGraceHours: 24 },
    log,
    trustedProxies: [],
    rateLimit: { perSecond: 100, burst: 200 },
  });
  const { paths = {} } = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Paylink", version: "1" },
  });
  assert.deepEqual(Object.keys(paths), [
    "/v1/payment-links/supported-networks",
    "/v1/payment-links",
    "/v1/payment-links/{refid}",
    "/v1/deposits/unmatched",
  ]);
  const operation = paths["/v1/payment-links"]?.post;
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

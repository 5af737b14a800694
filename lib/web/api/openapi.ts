import { OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import type { AmountForm } from "./amount-form.ts";
import { KEY_HEADERS } from "./authenticate.ts";
import { type ApiEndpoint, pathNames } from "./endpoint.ts";
import { toApiResponse } from "./envelope.ts";
import { type ApiReason, ERRORS, failure } from "./errors.ts";
import { type FieldsSchema, findMissingReason } from "./field-reader.ts";
import { describeAmountsAsStrings } from "./openapi-amounts.ts";
import { completeApiDocument } from "./openapi-completion.ts";
import { nameSchemas } from "./openapi-components.ts";
import { addSamples } from "./openapi-samples.ts";
import { introduction, PATH_PARAMETERS, RESPONSE_HEADERS, TAG_TEXTS } from "./openapi-text.ts";
import { describeWebhooks, EVENTS_TAG } from "./openapi-webhooks.ts";
import { pageMetaSchema, pageQuerySchema } from "./paging.ts";

type Registry = OpenAPIHono["openAPIRegistry"];
export type ApiDocument = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

const COMMON_REASONS: readonly ApiReason[] = ["internal_error", "service_unavailable"];
/** Reasons why a key is not accepted. */
const KEY_REASONS: readonly ApiReason[] = [
  "invalid_api_key",
  "merchant_disabled",
  "merchant_removed",
  "key_scope",
  "ip_not_allowed",
];
/** Responses without rate limit headers. */
const WITHOUT_RATE_HEADERS: ReadonlySet<ApiReason> = new Set([...KEY_REASONS, ...COMMON_REASONS]);
const BODY_REASONS: readonly ApiReason[] = [
  "body_too_large",
  "unsupported_content_type",
  "invalid_json",
  "invalid_form",
  "duplicate_field",
  "unsupported_character",
];
const PAGING_REASONS: readonly ApiReason[] = ["limit_out_of_range", "invalid_cursor", "not_a_flag"];
const IDEMPOTENCY_REASONS: readonly ApiReason[] = [
  "idempotency_key_too_long",
  "idempotency_key_reused",
  "idempotency_key_in_progress",
];

const KEY_TEXTS = { live: "Key of the live environment: real money.", test: "Key of the test environment." };

const idempotencyKey = z.string().max(255).openapi({
  description: "A repeated request with the same key gets the same response for 24 hours.",
  example: "order-1001",
});

const failureBody = z
  .object({
    status: z.enum(["fail", "bad"]),
    message: z.string().openapi({ description: "One of the listed texts, word for word." }),
    code: z.string().openapi({ description: "Stable name of the error, for programs." }),
    doc_url: z.string().openapi({ format: "uri-reference", description: "Where the code is explained." }),
  })
  .openapi("Failure");

/**
 * The OpenAPI 3.1 document of these endpoints, for answers with this form of amounts. Its schemas are those that validate
 * the requests.
 */
export function buildApiDocument(
  endpoints: readonly ApiEndpoint[],
  amounts: AmountForm = "number",
): ApiDocument {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  for (const [env, name] of Object.entries(KEY_HEADERS)) {
    const description = KEY_TEXTS[env as keyof typeof KEY_TEXTS];
    registry.registerComponent("securitySchemes", env, { type: "apiKey", in: "header", name, description });
  }
  for (const [name, header] of Object.entries(RESPONSE_HEADERS))
    registry.registerComponent("headers", name, header);
  for (const endpoint of endpoints) describeEndpoint(registry, endpoint);
  describeWebhooks(registry);
  const tags = [...new Set([...endpoints.map(({ tag }) => tag), EVENTS_TAG])].map((name) => ({
    name,
    description: TAG_TEXTS[name],
  }));
  const generated = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Paylink",
      version: "1",
      description: introduction(amounts),
      contact: { name: "The operator of this installation" },
      license: { name: "MIT", url: "https://spdx.org/licenses/MIT.html" },
    },
    servers: [{ url: "/v1" }],
    tags,
  });
  // Parts of the fields' descriptions are the same objects in every document.
  const document = structuredClone(generated);
  completeApiDocument(document);
  if (amounts === "string") describeAmountsAsStrings(document);
  addSamples(document.paths as Parameters<typeof addSamples>[0], amounts);
  nameSchemas(document);
  return document;
}

function describeEndpoint(registry: Registry, endpoint: ApiEndpoint): void {
  const { auth, paged, path, query } = endpoint;
  const names = pathNames(path);
  const queryShape = { ...(paged && pageQuerySchema(paged).shape), ...query?.shape };
  registry.registerPath({
    method: endpoint.method,
    path: path.replaceAll(/:([^/]+)/g, "{$1}"),
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    ...(auth === "public" ? { security: [] } : { security: [{ live: [] }, { test: [] }] }),
    request: {
      ...(names.length === 0 ? {} : { params: z.object(pathSchemas(endpoint)) }),
      ...(Object.keys(queryShape).length === 0 ? {} : { query: z.object(queryShape) }),
      ...requestBody(endpoint),
    },
    responses: describeResponses(endpoint, listReasons(endpoint)),
  });
}

/** Parameters of the path. A parameter that is read as a field has the schema of the field. */
function pathSchemas({ path, pathTexts, body }: ApiEndpoint): Record<string, z.ZodType> {
  const fields = body?.("live").shape ?? {};
  const plain = (name: string) => z.string().openapi({ ...PATH_PARAMETERS[name], ...pathTexts?.[name] });
  return Object.fromEntries(pathNames(path).map((name) => [name, fields[name] ?? plain(name)]));
}

/** The schema of the body, without the fields that are in the path. */
function bodySchema({ path, body }: ApiEndpoint): FieldsSchema | undefined {
  const schema = body?.("live");
  const inPath = pathNames(path).filter((name) => schema?.shape[name] !== undefined);
  if (schema === undefined || inPath.length === 0) return schema;
  return z.object(
    Object.fromEntries(Object.entries(schema.shape).filter(([name]) => !inPath.includes(name))),
  );
}

function requestBody(endpoint: ApiEndpoint): RouteConfig["request"] {
  const schema = bodySchema(endpoint);
  if (schema === undefined) return {};
  return {
    ...(endpoint.idempotent && { headers: z.object({ "idempotency-key": keyOf(endpoint.idempotent) }) }),
    body: {
      required: Object.values(schema.shape).some((field) => findMissingReason(field) !== null),
      // A form has the same fields. The introduction says so: with two types some generators use one class for both, or
      // leave out the class of the form.
      content: { "application/json": { schema } },
    },
  };
}

const keyOf = (idempotent: true | "required") =>
  idempotent === "required" ? idempotencyKey : idempotencyKey.optional();

/** Every reason for which the endpoint can fail. */
function listReasons(endpoint: ApiEndpoint): ReadonlySet<ApiReason> {
  const { auth, paged, path, idempotent } = endpoint;
  const schema = bodySchema(endpoint);
  const missingReasons = Object.values(schema?.shape ?? {}).flatMap(
    (field) => findMissingReason(field) ?? [],
  );
  // The length of an Idempotency-Key is checked even if the endpoint does not use it.
  const keyReasons = IDEMPOTENCY_REASONS.filter(
    (reason) => idempotent || reason === "idempotency_key_too_long",
  );
  const bodyReasons = [...BODY_REASONS, ...keyReasons, ...missingReasons];
  return new Set<ApiReason>([
    ...(auth === "public" ? [] : [...KEY_REASONS, "too_many_requests" as const]),
    ...(idempotent === "required" ? (["idempotency_key_missing"] as const) : []),
    ...(endpoint.changes === undefined ? [] : (["ip_list_required"] as const)),
    ...(endpoint.changes === "merchant" ? (["live_key_required"] as const) : []),
    ...(pathNames(path).length === 0 ? [] : (["path_value_missing", "not_found"] as const)),
    ...(schema === undefined ? [] : bodyReasons),
    ...(paged ? PAGING_REASONS : []),
    ...endpoint.errors,
    ...COMMON_REASONS,
  ]);
}

function describeResponses(endpoint: ApiEndpoint, reasons: ReadonlySet<ApiReason>): RouteConfig["responses"] {
  const { auth, data, message, paged } = endpoint;
  const envelope = z.object({
    status: z.literal("success"),
    message: z.string().openapi({ example: message }),
    data,
  });
  const schema = paged ? envelope.extend({ meta: pageMetaSchema }) : envelope;
  const hinted = (reason: ApiReason) => reason === "invalid_api_key" || "hint" in ERRORS[reason];
  const headers = (rated: boolean, status: number, group: readonly ApiReason[] = []) => ({
    headers: headerRefs(
      ["X-Request-Id"],
      auth !== "public" && rated && ["RateLimit-Policy", "RateLimit"],
      (status === 429 || status === 503) && ["Retry-After"],
      (status === 200 || status === 400 || group.some(hinted)) && ["X-Paylink-Hint"],
    ),
  });
  const all: RouteConfig["responses"] = {
    200: { description: "Success", ...headers(true, 200), content: { "application/json": { schema } } },
  };
  const byStatus = Map.groupBy(reasons, (reason) => ERRORS[reason].status);
  for (const [status, group] of [...byStatus].sort(([a], [b]) => a - b)) {
    all[status] = {
      description: group.map((reason) => `\`${ERRORS[reason].message}\``).join(", "),
      ...headers(
        group.some((reason) => !WITHOUT_RATE_HEADERS.has(reason)),
        status,
        group,
      ),
      content: { "application/json": { schema: failureBody, examples: failureExamples(endpoint, group) } },
    };
  }
  return all;
}

function headerRefs(...names: (readonly (keyof typeof RESPONSE_HEADERS)[] | false)[]) {
  const wanted = names.flatMap((group) => group || []);
  return Object.fromEntries(wanted.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The names in examples of refusals: the first that is a field of the endpoint, or the last. */
const REFUSED_NAMES: Partial<Record<ApiReason, readonly string[]>> = {
  setting_malformed: ["accent", "logo"],
  not_a_string: [
    "ip_name",
    "support",
    "logo",
    "title",
    "email",
    "tx_hash",
    "transaction_hash",
    "network",
    "token",
    "refid",
    "phone",
  ],
  not_a_number: ["tolerance_under_bps", "amount", "output_pos"],
  not_a_list: ["allow_origins", "fields"],
  not_a_flag: ["enabled", "fresh", "confirm", "count", "metadata"],
  field_too_long: ["transaction_hash", "search", "email"],
  url_not_https: ["success_url"],
  customer_email_malformed: ["email"],
  wallet_customer_email_malformed: ["email"],
  customer_field_missing: ["email"],
  wallet_customer_field_missing: ["email"],
  amount_below_trade_minimum: ["1"],
  amount_above_trade_maximum: ["100000"],
  link_not_cancelable: ["partial"],
};

/** The bodies of these refusals, as the endpoint sends them. */
function failureExamples(endpoint: ApiEndpoint, reasons: readonly ApiReason[]) {
  const { path, query } = endpoint;
  const fields = bodySchema(endpoint)?.shape ?? {};
  const required = Object.keys(fields).find((name) => findMissingReason(fields[name]) !== null);
  const names = [...Object.keys(fields), ...Object.keys(query?.shape ?? {})];
  const nameIn = (reason: ApiReason) => {
    if (reason === "path_value_missing") return pathNames(path)[0];
    if (reason === "field_missing") return required;
    const candidates = REFUSED_NAMES[reason] ?? names;
    // An operation without fields refuses names that it does not know too.
    return candidates.find((name) => names.includes(name)) ?? candidates.at(-1) ?? "network";
  };
  return Object.fromEntries(
    reasons.map((reason) => {
      const { body } = toApiResponse(failure(reason, nameIn(reason)));
      return [reason, { value: JSON.parse(body) }];
    }),
  );
}

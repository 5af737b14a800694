import { OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import { KEY_HEADERS } from "./authenticate.ts";
import { type ApiEndpoint, pathNames } from "./endpoint.ts";
import { type ApiReason, ERRORS, type ErrorText } from "./errors.ts";
import { type FieldsSchema, findMissingReason } from "./field-reader.ts";
import { completeApiDocument } from "./openapi-completion.ts";
import { INTRODUCTION, PATH_PARAMETERS, RESPONSE_HEADERS } from "./openapi-text.ts";
import { pageMetaSchema, pageQuerySchema } from "./paging.ts";

type Registry = OpenAPIHono["openAPIRegistry"];
export type ApiDocument = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

const ALWAYS: readonly ApiReason[] = ["internal_error"];
/** The key was not accepted. */
const WITHOUT_ENTRY: readonly ApiReason[] = [
  "invalid_api_key",
  "merchant_disabled",
  "merchant_removed",
  "key_scope",
  "ip_not_allowed",
];
/** Answered without the headers of a key's rate. */
const WITHOUT_RATE: ReadonlySet<ApiReason> = new Set([...WITHOUT_ENTRY, ...ALWAYS]);
const WITH_BODY: readonly ApiReason[] = [
  "body_too_large",
  "unsupported_content_type",
  "invalid_json",
  "invalid_form",
  "duplicate_field",
  "unsupported_character",
];
const LISTING: readonly ApiReason[] = ["limit_out_of_range", "invalid_cursor"];
const CREATING: readonly ApiReason[] = [
  "idempotency_key_too_long",
  "idempotency_key_reused",
  "idempotency_key_in_progress",
];

const KEY_TEXTS = { live: "Key of the live environment: real money.", test: "Key of the test environment." };

const idempotencyHeader = z.object({
  "idempotency-key": z.string().max(255).optional().openapi({
    description: "Makes a repeat harmless: the same answer for 24 hours.",
    example: "order-1001",
  }),
});

const failureBody = z
  .object({
    status: z.enum(["fail", "bad"]),
    message: z.string().openapi({ description: "One of the texts listed, word for word." }),
  })
  .openapi("Failure");

/** The OpenAPI 3.1 document of these endpoints. Its schemas are those that validate what comes in. */
export function buildApiDocument(endpoints: readonly ApiEndpoint[]): ApiDocument {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  for (const [env, name] of Object.entries(KEY_HEADERS)) {
    const description = KEY_TEXTS[env as keyof typeof KEY_TEXTS];
    registry.registerComponent("securitySchemes", env, { type: "apiKey", in: "header", name, description });
  }
  for (const [name, header] of Object.entries(RESPONSE_HEADERS))
    registry.registerComponent("headers", name, header);
  for (const endpoint of endpoints) describeEndpoint(registry, endpoint);
  const tags = [...new Set(endpoints.map(({ doc }) => doc.tag))].map((name) => ({ name }));
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Paylink",
      version: "1",
      description: INTRODUCTION,
    },
    servers: [{ url: "/v1" }],
    tags,
  });
  completeApiDocument(document);
  return document;
}

function describeEndpoint(registry: Registry, endpoint: ApiEndpoint): void {
  const { doc, scopes, paged, query } = endpoint;
  const names = pathNames(doc.path);
  const asked = { ...(paged && pageQuerySchema.shape), ...query?.shape };
  registry.registerPath({
    method: doc.method,
    path: doc.path.replaceAll(/:([^/]+)/g, "{$1}"),
    operationId: doc.operationId,
    tags: [doc.tag],
    summary: doc.summary,
    ...(doc.description === undefined ? {} : { description: doc.description }),
    ...(scopes === null ? { security: [] } : { security: [{ live: [] }, { test: [] }] }),
    request: {
      ...(names.length === 0 ? {} : { params: z.object(pathValues(endpoint)) }),
      ...(Object.keys(asked).length === 0 ? {} : { query: z.object(asked) }),
      ...bodyOf(endpoint),
    },
    responses: responses(endpoint, reasonsOf(endpoint)),
  });
}

/** Values in the path; those that are read as fields say of themselves what they are. */
function pathValues({ doc: { path, pathTexts }, body }: ApiEndpoint): Record<string, z.ZodType> {
  const fields = body?.("live").shape ?? {};
  const plain = (name: string) => z.string().openapi({ ...PATH_PARAMETERS[name], ...pathTexts?.[name] });
  return Object.fromEntries(pathNames(path).map((name) => [name, fields[name] ?? plain(name)]));
}

/** The body itself: without the fields that stand in the path. */
function schemaOf({ doc, body }: ApiEndpoint): FieldsSchema | undefined {
  const schema = body?.("live");
  const inPath = pathNames(doc.path).filter((name) => schema?.shape[name] !== undefined);
  if (schema === undefined || inPath.length === 0) return schema;
  return z.object(
    Object.fromEntries(Object.entries(schema.shape).filter(([name]) => !inPath.includes(name))),
  );
}

function bodyOf(endpoint: ApiEndpoint): RouteConfig["request"] {
  const schema = schemaOf(endpoint);
  if (schema === undefined) return {};
  return {
    ...(endpoint.asks ? {} : { headers: idempotencyHeader }),
    body: {
      required: Object.values(schema.shape).some((field) => findMissingReason(field) !== null),
      content: {
        "application/x-www-form-urlencoded": { schema },
        "application/json": { schema },
      },
    },
  };
}

/** Everything that the endpoint may refuse with. */
function reasonsOf(endpoint: ApiEndpoint): ReadonlySet<ApiReason> {
  const { doc, scopes, paged, asks } = endpoint;
  const schema = schemaOf(endpoint);
  const absences = Object.values(schema?.shape ?? {}).flatMap((field) => findMissingReason(field) ?? []);
  // Of an Idempotency-Key that has no use here, too, the length is looked at.
  const keyed = CREATING.filter((reason) => !asks || reason === "idempotency_key_too_long");
  const withBody = [...WITH_BODY, ...keyed, ...absences];
  return new Set<ApiReason>([
    ...(scopes === null ? [] : [...WITHOUT_ENTRY, "too_many_requests" as const]),
    ...(pathNames(doc.path).length === 0 ? [] : (["path_value_missing", "not_found"] as const)),
    ...(schema === undefined ? [] : withBody),
    ...(paged ? LISTING : []),
    ...doc.errors,
    ...ALWAYS,
  ]);
}

function responses(
  { doc, scopes, paged }: ApiEndpoint,
  reasons: ReadonlySet<ApiReason>,
): RouteConfig["responses"] {
  const envelope = z.object({ status: z.literal("success"), message: z.string(), data: doc.data });
  const schema = paged ? envelope.extend({ meta: pageMetaSchema }) : envelope;
  const headers = (rated: boolean, status: number) => ({
    headers: headersOf(
      ["X-Request-Id"],
      scopes !== null && rated && ["RateLimit-Policy", "RateLimit"],
      status === 429 && ["Retry-After"],
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
        group.some((reason) => !WITHOUT_RATE.has(reason)),
        status,
      ),
      content: { "application/json": { schema: failureBody, examples: failureExamples(group) } },
    };
  }
  return all;
}

function headersOf(...names: (readonly (keyof typeof RESPONSE_HEADERS)[] | false)[]) {
  const wanted = names.flatMap((group) => group || []);
  return Object.fromEntries(wanted.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function failureExamples(reasons: readonly ApiReason[]) {
  return Object.fromEntries(
    reasons.map((reason) => {
      const { message, envelope = "fail" }: ErrorText = ERRORS[reason];
      return [reason, { value: { status: envelope, message } }];
    }),
  );
}

import { OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import { EVENTS, type EventType } from "#lib/domain/webhooks/events.ts";
import { KEY_HEADERS } from "./authenticate.ts";
import { type ApiEndpoint, pathNames } from "./endpoint.ts";
import { type ApiReason, ERRORS, type ErrorText } from "./errors.ts";
import { type FieldsSchema, findMissingReason } from "./field-reader.ts";
import { timestamp } from "./fields/common.ts";
import { completeApiDocument } from "./openapi-completion.ts";
import { INTRODUCTION, PATH_PARAMETERS, RESPONSE_HEADERS } from "./openapi-text.ts";
import { pageMetaSchema, pageQuerySchema } from "./paging.ts";

type Registry = OpenAPIHono["openAPIRegistry"];
export type ApiDocument = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

const COMMON_REASONS: readonly ApiReason[] = ["internal_error"];
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
const PAGING_REASONS: readonly ApiReason[] = ["limit_out_of_range", "invalid_cursor"];
const IDEMPOTENCY_REASONS: readonly ApiReason[] = [
  "idempotency_key_too_long",
  "idempotency_key_reused",
  "idempotency_key_in_progress",
];

const KEY_TEXTS = { live: "Key of the live environment: real money.", test: "Key of the test environment." };

const idempotencyHeader = z.object({
  "idempotency-key": z.string().max(255).optional().openapi({
    description: "A repeated request with the same key gets the same response for 24 hours.",
    example: "order-1001",
  }),
});

/** Headers of every webhook, as in Standard Webhooks. */
const webhookHeaders = z.object({
  "webhook-id": z.string().openapi({
    description: "Id of the event. It stays the same when the event is sent again.",
    example: "evt_12",
  }),
  "webhook-timestamp": z.string().openapi({ description: "Time of the attempt, in Unix seconds." }),
  "webhook-signature": z.string().openapi({ description: "Signature with the secret of the endpoint." }),
});

const failureBody = z
  .object({
    status: z.enum(["fail", "bad"]),
    message: z.string().openapi({ description: "One of the listed texts, word for word." }),
  })
  .openapi("Failure");

/** The OpenAPI 3.1 document of these endpoints. Its schemas are those that validate the requests. */
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
  describeWebhooks(registry);
  const tags = [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name }));
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
  const { auth, paged, path, query } = endpoint;
  const names = pathNames(path);
  const queryShape = { ...(paged && pageQuerySchema.shape), ...query?.shape };
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

/** Describes the request that each event type sends to the webhook endpoints of the merchant. */
function describeWebhooks(registry: Registry): void {
  const dataSchemas = new Map<z.ZodType, z.ZodType>();
  for (const type of Object.keys(EVENTS) as EventType[]) {
    const { data, summary } = EVENTS[type];
    // A schema that was made before @hono/zod-openapi was loaded has no openapi(). A new object with its shape does.
    const named = dataSchemas.get(data) ?? z.object(data.shape).openapi(eventDataName(type));
    dataSchemas.set(data, named);
    const schema = z.object({
      type: z.literal(type),
      timestamp: timestamp.openapi({ description: "Time of the event." }),
      data: named,
    });
    registry.registerWebhook({
      method: "post",
      path: type,
      summary,
      request: {
        headers: webhookHeaders,
        body: { required: true, content: { "application/json": { schema } } },
      },
      responses: {
        "2XX": { description: "The event is delivered. Any other response is a failed attempt." },
      },
    });
  }
}

/** The component name of the event's data: events about the same kind of record share it. */
function eventDataName(type: EventType): string {
  if (type.startsWith("payment_link_")) return "PaymentLinkEventData";
  if (type.startsWith("deposit_")) return "DepositEventData";
  if (type.startsWith("withdrawal_")) return "WithdrawalEventData";
  return "WebhookEndpointEventData";
}

/** Parameters of the path. One that is read as a field has the schema of the field. */
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
    ...(endpoint.idempotent ? { headers: idempotencyHeader } : {}),
    body: {
      required: Object.values(schema.shape).some((field) => findMissingReason(field) !== null),
      content: {
        "application/x-www-form-urlencoded": { schema },
        "application/json": { schema },
      },
    },
  };
}

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
    ...(pathNames(path).length === 0 ? [] : (["path_value_missing", "not_found"] as const)),
    ...(schema === undefined ? [] : bodyReasons),
    ...(paged ? PAGING_REASONS : []),
    ...endpoint.errors,
    ...COMMON_REASONS,
  ]);
}

function describeResponses(
  { auth, data, paged }: ApiEndpoint,
  reasons: ReadonlySet<ApiReason>,
): RouteConfig["responses"] {
  const envelope = z.object({ status: z.literal("success"), message: z.string(), data });
  const schema = paged ? envelope.extend({ meta: pageMetaSchema }) : envelope;
  const headers = (rated: boolean, status: number) => ({
    headers: headerRefs(
      ["X-Request-Id"],
      auth !== "public" && rated && ["RateLimit-Policy", "RateLimit"],
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
        group.some((reason) => !WITHOUT_RATE_HEADERS.has(reason)),
        status,
      ),
      content: { "application/json": { schema: failureBody, examples: failureExamples(group) } },
    };
  }
  return all;
}

function headerRefs(...names: (readonly (keyof typeof RESPONSE_HEADERS)[] | false)[]) {
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

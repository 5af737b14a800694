import { type OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import { KEY_HEADERS } from "./authenticate.ts";
import { type Endpoint, pathNames } from "./endpoint.ts";
import { type ApiReason, ERRORS } from "./errors.ts";
import { pageMeta, pageQuery } from "./paging.ts";

type Registry = OpenAPIHono["openAPIRegistry"];

const ALWAYS: readonly ApiReason[] = ["internal_error"];
const WITH_KEY: readonly ApiReason[] = [
  "invalid_api_key",
  "merchant_disabled",
  "merchant_removed",
  "key_scope",
  "ip_not_allowed",
  "too_many_requests",
];
const WITH_BODY: readonly ApiReason[] = [
  "body_too_large",
  "unsupported_content_type",
  "invalid_json",
  "duplicate_field",
  "field_missing",
];
const LISTING: readonly ApiReason[] = ["limit_out_of_range", "invalid_cursor"];
const CREATING: readonly ApiReason[] = [
  "idempotency_key_too_long",
  "idempotency_key_reused",
  "idempotency_key_in_progress",
];

export function describeKeys(registry: Registry): void {
  for (const [env, name] of Object.entries(KEY_HEADERS)) {
    registry.registerComponent("securitySchemes", env, { type: "apiKey", in: "header", name });
  }
}

/** Enters an endpoint into the OpenAPI document: the schemas are those that validate it. */
export function describeEndpoint(registry: Registry, { doc, scopes, body, paged, asks }: Endpoint): void {
  const names = pathNames(doc.path);
  const schema = body?.("live", () => new Date());
  registry.registerPath({
    method: doc.method,
    path: doc.path.replaceAll(/:([^/]+)/g, "{$1}"),
    operationId: doc.operationId,
    tags: [doc.tag],
    summary: doc.summary,
    ...(doc.description === undefined ? {} : { description: doc.description }),
    ...(scopes === null ? { security: [] } : { security: [{ live: [] }, { test: [] }] }),
    request: {
      ...(names.length === 0 ? {} : { params: z.object(allStrings(names)) }),
      ...(paged ? { query: pageQuery } : {}),
      ...(schema === undefined
        ? {}
        : {
            ...(asks ? {} : { headers: z.object({ "idempotency-key": z.string().max(255).optional() }) }),
            body: {
              required: Object.values(schema.shape).some((field) => !field.safeParse(undefined).success),
              content: {
                "application/x-www-form-urlencoded": { schema },
                "application/json": { schema },
              },
            },
          }),
    },
    responses: responses(success(doc.data, paged), [
      ...(scopes === null ? [] : WITH_KEY),
      ...(names.length === 0 ? [] : (["path_value_missing"] as const)),
      ...(body === null
        ? []
        : [...WITH_BODY, ...CREATING.filter((reason) => !asks || reason === "idempotency_key_too_long")]),
      ...(paged ? LISTING : []),
      ...doc.errors,
      ...ALWAYS,
    ]),
  });
}

function allStrings(names: readonly string[]): Record<string, z.ZodString> {
  return Object.fromEntries(names.map((name) => [name, z.string()]));
}

function success(data: z.ZodType, paged: true | undefined): z.ZodType {
  const envelope = z.object({ status: z.literal("success"), message: z.string(), data });
  return paged ? envelope.extend({ meta: pageMeta }) : envelope;
}

function responses(schema: z.ZodType, reasons: readonly ApiReason[]): RouteConfig["responses"] {
  const all: RouteConfig["responses"] = {
    200: {
      description: "Success",
      content: {
        "application/json": { schema },
      },
    },
  };
  const byStatus = Map.groupBy(new Set(reasons), (reason) => ERRORS[reason].status);
  for (const [status, group] of byStatus) {
    const messages = group.map((reason) => ERRORS[reason].message);
    all[status] = {
      description: messages.map((message) => `\`${message}\``).join(", "),
      content: {
        "application/json": {
          schema: z.object({ status: z.literal("fail"), message: z.string() }),
          example: { status: "fail", message: messages[0] },
        },
      },
    };
  }
  return all;
}

import { type RequestListener, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { isDatabaseUnavailable } from "#lib/platform/db/availability.ts";
import { createAllocationLines } from "./allocation-lines.ts";
import { type AmountPlaces, findAmountPlaces } from "./amount-form.ts";
import type { ApiContext, ApiEndpoint } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { sendResponse, toApiResponse, toWebResponse } from "./envelope.ts";
import { failure } from "./errors.ts";
import { IDEMPOTENCY_WAIT_MS } from "./idempotency.ts";
import { createKeyLines } from "./key-lines.ts";
import { createNodeLookups } from "./node-lookups.ts";
import { buildApiDocument } from "./openapi.ts";
import { createRateLimiter } from "./rate-limit.ts";
import { mountReference } from "./reference.ts";
import type { ApiEnv, ApiServices } from "./types.ts";

/** The API as a request listener of node:http. A request without a valid URL also gets the envelope. */
export function createApiListener(services: ApiServices): RequestListener {
  const app = createApi(services);
  return getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: () => toWebResponse(toApiResponse(failure("bad_request"))),
  });
}

/** The service interface under /v1. Every response is the envelope, for any request. */
function createApi(services: ApiServices): Hono<ApiEnv> {
  const api: ApiContext = {
    ...services,
    now: services.now ?? (() => new Date()),
    rateLimiter: createRateLimiter(services.rateLimit),
    nodeLookups: createNodeLookups(),
    allocationLines: createAllocationLines(),
    keyLines: createKeyLines(),
    idempotencyWaitMs: services.idempotencyWaitMs ?? IDEMPOTENCY_WAIT_MS,
    amountPlaces: memoizeAmountPlaces(),
  };
  const app = new Hono<ApiEnv>().basePath("/v1");
  const refusals = new Hono<ApiEnv>().basePath("/v1");
  refusals.notFound((context) => sendResponse(context, toApiResponse(failure("not_found"))));
  app.notFound((context) => refusals.fetch(context.req.raw, context.env));
  app.onError((error, context) => {
    services.log.error({ err: error }, "request failed");
    const reason = isDatabaseUnavailable(error) ? "service_unavailable" : "internal_error";
    return sendResponse(context, toApiResponse(failure(reason)));
  });
  app.get("/", (context) => context.redirect("/v1/docs"));
  mountReference(app);
  for (const [path, endpoints] of Map.groupBy(ENDPOINTS, ({ path }) => path)) {
    const paths = endpointPaths(path);
    for (const endpoint of endpoints) app.on(endpoint.method, paths, endpoint.handler(api));
    refuseOtherMethods(refusals, paths, endpoints);
  }
  return app;
}

/** Reads the places from an operation's part of the OpenAPI document when a request first needs them. */
function memoizeAmountPlaces(): ApiContext["amountPlaces"] {
  const known = new Map<string, AmountPlaces | undefined>();
  return (operationId) => {
    if (!known.has(operationId)) {
      const document = buildApiDocument(ENDPOINTS.filter((one) => one.operationId === operationId));
      known.set(operationId, [...findAmountPlaces(document).values()][0]);
    }
    return known.get(operationId);
  };
}

/**
 * The path, and where its last part is a parameter, the paths without its value: "/x/" and "/x" for "/x/:id". They get
 * the error of an absent value, not that of an unknown path. "/x" may be an endpoint itself.
 */
function endpointPaths(path: string): string[] {
  const withSlash = path.replace(/:[^/]+$/, "");
  const bare = withSlash.replace(/\/$/, "");
  return [...new Set([path, withSlash]), ...(ENDPOINTS.some((other) => other.path === bare) ? [] : [bare])];
}

/**
 * Answers any method that the paths do not have with 405 and the list of those they have. `refusals` is asked only where no endpoint answers:
 * Hono composes the handlers of each request that has more than one.
 */
function refuseOtherMethods(
  refusals: Hono<ApiEnv>,
  paths: readonly string[],
  endpoints: readonly ApiEndpoint[],
): void {
  const methods = endpoints.flatMap(({ method }) =>
    method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()],
  );
  const headers = { allow: methods.join(", ") };
  for (const path of paths)
    refusals.all(path, (context) =>
      sendResponse(context, toApiResponse(failure("method_not_allowed")), headers),
    );
}

/** Refuses a request that is not plain (lib/web/plain-http.ts) with the envelope. */
export function answerBadRequest(response: ServerResponse): void {
  const { status, body } = toApiResponse(failure("bad_request"));
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(body);
}

/** Handles the server's `clientError`: a request that is not HTTP gets the envelope, then the connection closes. */
export function respondToClientError(_error: Error, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body } = toApiResponse(failure("bad_request"));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

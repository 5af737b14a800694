import { Hono } from "hono";
import type { ApiContext, ApiEndpoint, ApiEnv } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { sendResponse, toApiResponse } from "./envelope.ts";
import { failure } from "./errors.ts";
import { createNodeLookups } from "./node-lookups.ts";
import { createRateLimiter } from "./rate-limit.ts";
import { mountReference } from "./reference.ts";
import type { ApiServices } from "./types.ts";

/** The service interface under /v1. Every answer is the envelope, whatever came in. */
export function createApi(services: ApiServices): Hono<ApiEnv> {
  const edge: ApiContext = {
    ...services,
    now: services.now ?? (() => new Date()),
    limitRate: createRateLimiter(services.rateLimit),
    nodeLookups: createNodeLookups(),
  };
  const app = new Hono<ApiEnv>().basePath("/v1");
  app.notFound((context) => sendResponse(context, toApiResponse(failure("not_found"))));
  app.onError((error, context) => {
    services.log.error({ err: error }, "a request failed");
    return sendResponse(context, toApiResponse(failure("internal_error")));
  });
  mountReference(app);
  for (const [path, endpoints] of byPath(ENDPOINTS)) mount(app, edge, path, endpoints);
  return app;
}

function byPath(endpoints: readonly ApiEndpoint[]): Map<string, readonly ApiEndpoint[]> {
  return Map.groupBy(endpoints, (endpoint) => endpoint.doc.path);
}

/** Every method of one path; any other method is told which there are. */
function mount(app: Hono<ApiEnv>, edge: ApiContext, path: string, endpoints: readonly ApiEndpoint[]): void {
  // "/x/" is "/x/:id" with its value absent: an answer of its own, not an unknown path.
  const paths = [path, path.replace(/:[^/]+$/, "")];
  for (const endpoint of endpoints) app.on(endpoint.doc.method, paths, endpoint.handler(edge));
  const methods = endpoints.flatMap(({ doc }) => (doc.method === "get" ? ["GET", "HEAD"] : ["POST"]));
  const headers = { allow: methods.join(", ") };
  for (const each of paths)
    app.all(each, (context) => sendResponse(context, toApiResponse(failure("method_not_allowed")), headers));
}

import { Hono } from "hono";
import type { ApiEnv, Edge, Endpoint } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { answer, respond } from "./envelope.ts";
import { failure } from "./errors.ts";
import { openLookUps } from "./look-ups.ts";
import { openRateLimiter } from "./rate-limit.ts";
import { mountReference } from "./reference.ts";
import type { ApiServices } from "./types.ts";

/** The service interface under /v1. Every answer is the envelope, whatever came in. */
export function createApi(services: ApiServices): Hono<ApiEnv> {
  const edge: Edge = {
    ...services,
    now: services.now ?? (() => new Date()),
    limitRate: openRateLimiter(services.rateLimit),
    lookUps: openLookUps(),
  };
  const app = new Hono<ApiEnv>().basePath("/v1");
  app.notFound((context) => respond(context, answer(failure("not_found"))));
  app.onError((error, context) => {
    services.log.error({ err: error }, "a request failed");
    return respond(context, answer(failure("internal_error")));
  });
  mountReference(app);
  for (const [path, endpoints] of byPath(ENDPOINTS)) mount(app, edge, path, endpoints);
  return app;
}

function byPath(endpoints: readonly Endpoint[]): Map<string, readonly Endpoint[]> {
  return Map.groupBy(endpoints, (endpoint) => endpoint.doc.path);
}

/** Every method of one path; any other method is told which there are. */
function mount(app: Hono<ApiEnv>, edge: Edge, path: string, endpoints: readonly Endpoint[]): void {
  // "/x/" is "/x/:id" with its value absent: an answer of its own, not an unknown path.
  const paths = [path, path.replace(/:[^/]+$/, "")];
  for (const endpoint of endpoints) app.on(endpoint.doc.method, paths, endpoint.handler(edge));
  const methods = endpoints.flatMap(({ doc }) => (doc.method === "get" ? ["GET", "HEAD"] : ["POST"]));
  const headers = { allow: methods.join(", ") };
  for (const each of paths)
    app.all(each, (context) => respond(context, answer(failure("method_not_allowed")), headers));
}

import type { RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { storeIdOf } from "#lib/domain/store-id.ts";
import { isDatabaseUnavailable } from "#lib/platform/db/availability.ts";
import { addToLogContext } from "#lib/platform/log/log-context.ts";
import { resolveClientAddress } from "#lib/web/api/client-address.ts";
import { costOf, createRateLimiter } from "#lib/web/api/rate-limit.ts";
import type { ApiEnv } from "#lib/web/api/types.ts";
import { type Answer, NO_STORE, problem, sendAnswer } from "./answers.ts";
import { authenticate, findMissing, readKey } from "./authenticate.ts";
import { Fields, readFields } from "./read-fields.ts";
import type { GreenfieldContext, GreenfieldRoute, GreenfieldServices } from "./route.ts";
import { ROUTES } from "./routes.ts";

const PREFIX = "/api/v1";
const NOT_FOUND = problem(404, "not-found", "There is no such endpoint.");

export function isGreenfieldPath(path: string): boolean {
  return /^\/api\/v1(?:[/?]|$)/.test(path);
}

/** BTCPay's Greenfield protocol under /api/v1, as plugins of shops speak it, as a request listener of node:http. */
export function createGreenfieldListener(services: GreenfieldServices): RequestListener {
  const api: GreenfieldContext = {
    ...services,
    now: services.now ?? (() => new Date()),
    rateLimiter: createRateLimiter(services.rateLimit),
  };
  // Plugins write a slash at the end.
  const app = new Hono<ApiEnv>({ strict: false }).basePath(PREFIX);
  app.notFound((context) => sendAnswer(context, NOT_FOUND));
  app.onError((error, context) => {
    services.log.error({ err: error }, "request failed");
    return sendAnswer(
      context,
      isDatabaseUnavailable(error)
        ? problem(503, "unavailable", "The service is unavailable. Try again later.")
        : problem(500, "internal-error", "The request failed. The operator's log says why."),
    );
  });
  for (const each of ROUTES)
    for (const path of each.paths)
      app.on(each.method, path, async (context) =>
        sendAnswer(context, await answerRoute(api, each, context)),
      );
  const methods = Map.groupBy(
    ROUTES.flatMap(({ method, paths }) => paths.map((path) => ({ method, path }))),
    ({ path }) => path,
  );
  for (const [path, known] of methods) {
    const allow = known.map(({ method }) => method.toUpperCase()).join(", ");
    const refusal = problem(405, "method-not-allowed", `The method is not one of ${allow}.`);
    app.all(path, (context) => sendAnswer(context, { ...refusal, headers: { allow } }));
  }
  return getRequestListener(app.fetch, { overrideGlobalObjects: false });
}

async function answerRoute(
  api: GreenfieldContext,
  { permission, run }: GreenfieldRoute,
  context: Context<ApiEnv>,
): Promise<Answer> {
  const now = api.now();
  const { headers } = context.req.raw;
  const clientAddress = resolveClientAddress(
    context.env.incoming.socket.remoteAddress ?? "",
    headers.get("x-forwarded-for"),
    api.trustedProxies,
  );
  const authorization = headers.get("authorization");
  const caller = await authenticate(api.database.db, { authorization, clientAddress }, now);
  if ("status" in caller) return caller;
  addToLogContext({ merchantId: caller.merchant.id, env: caller.env });
  const rate = api.rateLimiter.admit(caller.keyId);
  if (!rate.allowed)
    return { ...problem(429, "throttled", "There were too many requests."), headers: rate.headers };
  const storeId = storeIdOf(caller.merchant.code, caller.env);
  const asked = context.req.param("storeId");
  if (asked !== undefined && asked !== storeId) return NO_STORE;
  const missing = permission === null ? null : findMissing(caller, permission);
  if (missing !== null) return missing;
  const hasBody = context.req.method === "POST" || context.req.method === "PUT";
  const fields = hasBody ? await readFields(context.req.raw) : new Fields([]);
  if (!(fields instanceof Fields)) return fields;
  const query = new URL(context.req.url).searchParams;
  const path = (name: string) => context.req.param(name) ?? "";
  const key = readKey(authorization) ?? "";
  const given = await run({ api, now, caller, key, clientAddress, storeId, path, query, fields });
  return {
    ...given,
    headers: { ...given.headers, ...rate.settle(costOf(JSON.stringify(given.body ?? ""))) },
  };
}

import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import next from "next";
import { answerClientError, apiListener } from "#lib/api/listener.ts";
import { originAllowed } from "#lib/realtime/rules.ts";
import { startRealtime } from "#lib/realtime/serve-realtime.ts";
import { followConnections } from "./drain-connections.ts";
import type { Operations } from "./operations/open-operations.ts";
import { pageListener } from "./page-listener.ts";
import type { Services } from "./services.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Longer than balancers keep a connection that they do not use (60 s): what they send is not to meet its end. */
const KEEP_ALIVE_MS = 75_000;

/**
 * The web role: one port for the API (Hono, ahead of Next), the payment page (Next) and the socket.
 * Resolves once it listens. Throws when the page has not been built.
 */
export async function startWeb(
  services: Services,
  operations: Operations,
  options: { dev: boolean },
): Promise<{ port: number; stop(timeIsUp: AbortSignal): Promise<void> }> {
  const { config, log, database } = services;
  if (!options.dev && !existsSync(join(ROOT, ".next/BUILD_ID"))) {
    throw new Error("the payment page is not built yet: run `npm run build` first");
  }
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
  const pages = next({ dev: options.dev, dir: ROOT, httpServer: server, quiet: true });
  await pages.prepare();
  server.on("clientError", answerClientError);
  const publicOrigins = [...new Set([config.publicUrl, config.paymentUrl].map((url) => new URL(url).origin))];
  server.on(
    "request",
    router(services, operations, pages.getRequestHandler(), { ...options, publicOrigins }),
  );
  // After the router: socket.io takes its own path before it and hands on the rest.
  const realtime = await startRealtime(server, { database, publicOrigins, log });
  const connections = followConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  // Next fetches the page an action redirects to from here; by default it would ask localhost:3000.
  process.env.__NEXT_PRIVATE_ORIGIN = `http://127.0.0.1:${port}`;
  log.info({ port }, "web role is listening");
  return {
    port,
    async stop(timeIsUp) {
      connections.leave();
      // A balancer that learns by asking that we are not ready goes on sending until it has asked.
      await pause(config.drainSeconds * 1_000);
      const closed = connections.close(timeIsUp);
      // Nobody listens here any more: pages whose socket is cut now come back to another process.
      await realtime.stop();
      const cutOff = await closed;
      if (cutOff > 0)
        log.warn({ connections: cutOff }, "connections were cut off: their requests took too long");
      await pages.close();
    },
  };
}

/** What comes in on the one port, and whose it is. */
function router(
  services: Services,
  operations: Operations,
  page: RequestListener,
  options: { dev: boolean; publicOrigins: readonly string[] },
): RequestListener {
  const { config } = services;
  const { publicOrigins } = options;
  const api = apiListener({
    ...services,
    settings: services.paymentLinks.settings,
    trustedProxies: config.trustedProxies,
    rateLimit: config.rateLimit,
    deskLimitUsd: config.deskLimitUsd,
  });
  const show = pageListener(services, page, options);
  const secure = config.publicUrl.startsWith("https:");
  return (request: IncomingMessage, response: ServerResponse) => {
    // Whoever came by https once, through the proxy, comes by nothing else for a year (RFC 6797).
    if (secure) response.setHeader("strict-transport-security", "max-age=31536000");
    const path = request.url ?? "/";
    if (path === "/v1" || path.startsWith("/v1/") || path.startsWith("/v1?")) {
      operations.observe("api", request, response);
      api(request, response);
      return;
    }
    if (operations.answers(request, response)) return;
    operations.observe("page", request, response);
    const { origin } = request.headers;
    if (request.method === "POST" && origin !== undefined) {
      if (!originAllowed(origin, { publicOrigins, host: request.headers.host })) {
        response.writeHead(403, { "content-type": "text/plain; charset=utf-8" });
        response.end("this form was sent from another site\n");
        return;
      }
      // Next compares the two: behind a proxy that rewrites Host they would differ.
      request.headers["x-forwarded-host"] = new URL(origin).host;
    }
    show(request, response);
  };
}

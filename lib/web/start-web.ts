import { existsSync, readdirSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import next from "next";
import { listNetworkTroubles } from "#lib/domain/network-status/queries.ts";
import { repeat } from "#lib/platform/repeat.ts";
import { answerBadRequest, createApiListener, respondToClientError } from "#lib/web/api/app.ts";
import { resolveClientAddress } from "#lib/web/api/client-address.ts";
import { createGreenfield } from "#lib/web/greenfield/create-greenfield.ts";
import type { Operations } from "#lib/web/operations/open-operations.ts";
import { inlineStyles, readStyles } from "#lib/web/page/inline-styles.ts";
import { type PageListenerOptions, pageListener } from "#lib/web/page/listener.ts";
import { answerMailStop, isMailStopPath } from "#lib/web/page/mail-stop.ts";
import { parseClaimPath } from "#lib/web/page/route.ts";
import { isOriginAllowed, isRealtimePath } from "#lib/web/realtime/rules.ts";
import { startRealtime } from "#lib/web/realtime/serve-realtime.ts";
import { knowClients } from "./api/client-address.ts";
import { compressed } from "./compressed.ts";
import { cutStalledReaders } from "./cut-stalled-readers.ts";
import { openLlmsText } from "./llms-text.ts";
import { logRequests } from "./log-requests.ts";
import { answerPlainText, hidesOrigin, isPlainRequest } from "./plain-http.ts";
import type { Services, WebConfig } from "./services.ts";
import { trackConnections } from "./track-connections.ts";
import { createWebPorts } from "./web-ports.ts";

const ROOT = join(import.meta.dirname, "../..");
/**
 * Length of the queue of new connections; the kernel may limit it (net.core.somaxconn). Every open page
 * reconnects within two seconds of a restart, and a rejected one retries only after seconds. Node's default
 * of 511 is too small.
 */
const BACKLOG = 4_096;
/** How often to look which networks can be seen, for the open pages of this process. */
const LOOK_EVERY_MS = 3_000;
/** Limits for slow requests. The limit of the headers is shorter than that of the body. */
const PATIENCE = { headersTimeout: 20_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 };
/** Longer than load balancers keep an idle connection (60 s), so that they never send on a closed one. */
const KEEP_ALIVE_MS = 75_000;

/**
 * The web role: one port for the API (Hono, before Next), the payment page (Next) and the socket. Resolves
 * once it listens. Throws if the page is not built.
 */
export async function startWeb(
  services: Services,
  operations: Operations,
  { dev }: { dev: boolean },
): Promise<{ port: number; stop(timeIsUp: AbortSignal): Promise<void> }> {
  const { config, log, database } = services;
  if (!dev && !existsSync(join(ROOT, ".next/BUILD_ID"))) {
    throw new Error("the payment page is not built yet: run `npm run build` first");
  }
  // An upgrade of any other path is handled as a plain request. Next's dev server has its own socket.
  const server = createServer({
    ...PATIENCE,
    keepAliveTimeout: KEEP_ALIVE_MS,
    shouldUpgradeCallback: ({ url = "" }) => dev || isRealtimePath(url),
  });
  const pages = next({ dev, dir: ROOT, httpServer: dev ? server : createServer(), quiet: true });
  await pages.prepare();
  server.on("clientError", respondToClientError);
  const publicOrigins = [...new Set([config.publicUrl, config.paymentUrl].map((url) => new URL(url).origin))];
  const unwatched = () => realtime.unwatched();
  const { others, servedAt, listen } = createWebPorts(server, config.consolePort);
  const page = inlineStyles(pages.getRequestHandler(), dev ? new Map() : readStyles(join(ROOT, ".next")));
  const answerAll = router(services, operations, page, {
    dev,
    servedAt,
    publicOrigins,
    publicFiles: new Set(readdirSync(join(ROOT, "public"))),
    unwatched,
  });
  server.on("request", knowClients(logRequests(answerAll, { ...config, log }), config.trustedProxies));
  const realtime = await startRealtime(server, {
    ...config,
    database,
    log,
    publicOrigins: listOwnOrigins(publicOrigins, config),
    servedAt,
    allowOtherUpgrades: dev,
    addressOf: ({ socket, headers }) =>
      resolveClientAddress(socket.remoteAddress ?? "", headers["x-forwarded-for"], config.trustedProxies),
  });
  const looking = repeat("looking which networks can be seen", LOOK_EVERY_MS, { log }, async () => {
    const { unwatched, late } = await listNetworkTroubles(services.paymentLinks, new Date());
    realtime.announceUnwatched([...unwatched, ...late]);
  });
  const connections = trackConnections(server);
  const stopCutting = cutStalledReaders(server, (cut) =>
    log.warn({ connections: cut }, "connections were cut off: nobody read their answers"),
  );
  const { port, portForNext } = await listen({ port: config.port, host: config.host, backlog: BACKLOG });
  // Next fetches the page after an action's redirect from here. By default it would use localhost:3000.
  process.env.__NEXT_PRIVATE_ORIGIN = `http://127.0.0.1:${portForNext}`;
  log.info({ port, consolePort: config.consolePort ?? port }, "web role is listening");
  return {
    port,
    async stop(timeIsUp) {
      connections.leave();
      await looking.stop();
      // A load balancer that polls readiness sends requests until its next poll.
      await pause(config.drainSeconds * 1_000);
      const closed = connections.close(timeIsUp, others);
      // This process accepts no connections any more: disconnected pages reconnect to another process.
      await realtime.stop();
      const cutOff = await closed;
      stopCutting();
      if (cutOff > 0)
        log.warn({ connections: cutOff }, "connections were cut off: their requests took too long");
      await pages.close();
    },
  };
}

/** The origins of our own pages. */
function listOwnOrigins(
  publicOrigins: readonly string[],
  { consoleUrl }: Pick<WebConfig, "consoleUrl">,
): string[] {
  return [...publicOrigins, ...(consoleUrl === null ? [] : [new URL(consoleUrl).origin])];
}

/** Routes the requests of the port to the API, operations and the page. */
function router(
  services: Services,
  operations: Operations,
  page: RequestListener,
  options: PageListenerOptions,
): RequestListener {
  const { config } = services;
  const ownOrigins = listOwnOrigins(options.publicOrigins, config);
  const apiServices = {
    ...services,
    settings: services.paymentLinks.settings,
    trustedProxies: config.trustedProxies,
    rateLimit: config.rateLimit,
    deskLimitUsd: config.deskLimitUsd,
    deskSpreadBps: config.deskSpreadBps,
    webhookAllowCidrs: config.webhookAllowCidrs,
  };
  const api = createApiListener(apiServices);
  const greenfield = config.greenfield
    ? createGreenfield({ ...apiServices, publicUrl: config.publicUrl, consoleUrl: config.consoleUrl })
    : null;
  const show = compressed(pageListener(services, page, options));
  const answerLlmsText = openLlmsText(config.publicUrl);
  const secure = config.publicUrl.startsWith("https:");
  return (request: IncomingMessage, response: ServerResponse) => {
    // A client that used https must not use http for a year (RFC 6797).
    if (secure) response.setHeader("strict-transport-security", "max-age=31536000");
    response.setHeader("x-content-type-options", "nosniff");
    const path = request.url ?? "/";
    const plain = isPlainRequest(request);
    delete request.headers["x-forwarded-host"];
    const isConsolePort = options.servedAt(request.socket) === "console";
    if (isConsolePort && plain && !isRealtimePath(path)) {
      operations.observe("page", request, response);
      return show(request, response);
    }
    if (path === "/v1" || path.startsWith("/v1/") || path.startsWith("/v1?")) {
      operations.observe("api", request, response);
      if (plain) api(request, response);
      else answerBadRequest(response);
      return;
    }
    if (!plain) return answerPlainText(response, 400, "bad request");
    if (greenfield?.answers(path)) {
      operations.observe("api", request, response);
      return greenfield.answer(request, response);
    }
    if (operations.answers(request, response)) return;
    operations.observe("page", request, response);
    if (answerLlmsText(request, response)) return;
    if (isRealtimePath(path))
      return answerPlainText(response, 426, "by websocket alone", { upgrade: "websocket" });
    if (config.mail !== null && isMailStopPath(path)) return void answerMailStop(services, request, response);
    if (request.method === "POST" && !fromOurPage(request, ownOrigins)) {
      return answerPlainText(response, 403, "this form was sent from another site");
    }
    show(request, response);
  };
}

/**
 * True if our page or a program sent this form. Next receives the same host, even if a proxy rewrote Host.
 */
function fromOurPage(request: IncomingMessage, publicOrigins: readonly string[]): boolean {
  const { host, "sec-fetch-site": site } = request.headers;
  // A form of a page without referrer, sent without scripts. No other site can make a browser say that it is from here.
  if (
    request.headers.origin === "null" &&
    site === "same-origin" &&
    parseClaimPath(request.url ?? "") !== null
  )
    delete request.headers.origin;
  const { origin } = request.headers;
  if (hidesOrigin({ origin, site: site?.toString() })) return false;
  if (!isOriginAllowed(origin, { publicOrigins, host })) return false;
  // Next compares the two. Behind a proxy that rewrites Host they would differ.
  if (origin !== undefined) request.headers["x-forwarded-host"] = new URL(origin).host;
  return true;
}

import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Services } from "#lib/web/services.ts";
import type { Metrics } from "./metrics.ts";
import { checkReadiness } from "./readiness.ts";

export interface OperationsDeps extends Pick<Services, "database" | "networks" | "log"> {
  readonly metrics: Metrics;
  /** Token that allows reading the metrics and the networks from any address; null: not allowed. */
  readonly metricsToken: string | null;
  readonly roles: { readonly running: boolean };
}

/** Answers /healthz, /readyz and /metrics. Returns false for any other request. */
export function operationsListener(deps: OperationsDeps) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const [path] = (request.url ?? "/").split("?", 1);
    if (path === "/healthz") answer(response, 200, { status: "ok" });
    else if (path === "/readyz") void answerReadiness(deps, request, response);
    else if (path === "/metrics") void answerMetrics(deps, request, response);
    else return false;
    return true;
  };
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}

async function answerReadiness(
  deps: OperationsDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { ready, checks, networks } = await checkReadiness(deps, deps.roles);
  answer(response, ready ? 200 : 503, {
    status: ready ? "ready" : "not ready",
    ...checks,
    // A load balancer does not need it, and a stranger must not learn what the metrics tell.
    ...(mayReadMetrics(request, deps.metricsToken) && { networks }),
  });
}

async function answerMetrics(
  { metrics, metricsToken, log }: OperationsDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // Like a path that does not exist: an unauthorized client must not learn about it.
  if (!mayReadMetrics(request, metricsToken)) return answer(response, 404, { status: "not found" });
  try {
    const text = await metrics.text();
    response.writeHead(200, { "content-type": metrics.contentType, "cache-control": "no-store" });
    response.end(text);
  } catch (err) {
    log.error({ err }, "the metrics could not be read");
    answer(response, 503, { status: "not ready" });
  }
}

function mayReadMetrics(request: IncomingMessage, metricsToken: string | null): boolean {
  return isLocal(request) || hasToken(request, metricsToken);
}

const FORWARDED = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

/** A page of another site can make its own host name mean this machine (DNS rebinding), but not these. */
const OWN_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** True for a request from this machine, by a name of this machine, that no proxy forwarded. */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  const address = socket.remoteAddress?.replace(/^::ffff:/, "") ?? "";
  const loopback = address === "::1" || /^127\./.test(address);
  return (
    loopback && OWN_HOST.test(headers.host ?? "") && FORWARDED.every((name) => headers[name] === undefined)
  );
}

function hasToken({ headers }: IncomingMessage, token: string | null): boolean {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
  if (given === undefined || token === null) return false;
  // Hashes have equal lengths, so the comparison takes the same time for any token.
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

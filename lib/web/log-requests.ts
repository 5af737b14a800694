import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener } from "node:http";
import type { Logger } from "pino";
import { getLogContext, type LogContext, withLogContext } from "#lib/platform/log/log-context.ts";
import { redactSecrets } from "#lib/platform/log/serialize-error.ts";
import { isTrustedProxy } from "#lib/web/api/client-address.ts";

/** A request id that a proxy may have set (nginx: 32 hexadecimal digits). */
const SANE_ID = /^[0-9A-Za-z._-]{8,64}$/;
/** The refid of a link or withdrawal in a path. */
const REFID = /\/([1-9A-HJ-NP-Za-km-z]{22}|[0-9]{16})(?=\/|$)/;
/**
 * Frequent requests of little interest: parts of a page and repeated health checks. They are logged at level
 * debug.
 */
const SMALL =
  /^\/_next\/|^\/(?:healthz|readyz|metrics)$|\/version$|\.(?:js|css|webp|png|svg|ico|txt|woff2?)$/;
const LONGEST_PATH = 300;

/**
 * Adds the request id to every line that is logged for a request, and the refid if its path has one. The
 * answer has the id as `x-request-id`. One line logs the result, never the query or the client's address.
 */
export function logRequests(
  listener: RequestListener,
  { log, trustedProxies }: { readonly log: Logger; readonly trustedProxies: readonly string[] },
): RequestListener {
  return (request, response) => {
    const started = performance.now();
    const requestId = givenId(request, trustedProxies) ?? randomUUID();
    response.setHeader("x-request-id", requestId);
    const { method, url = "/" } = request;
    const path = url.split("?", 1)[0]?.slice(0, LONGEST_PATH) ?? "/";
    const refid = REFID.exec(path)?.[1];
    const say = (request: LogContext) => {
      if (!log.isLevelEnabled("info")) return;
      // The client closed the connection before an answer: nginx uses this number.
      const status = response.headersSent ? response.statusCode : 499;
      const ms = Math.round(performance.now() - started);
      const level = SMALL.test(path) && status < 500 ? "debug" : "info";
      log[level]({ ...request, method, path: redactSecrets(path), status, ms }, "request");
    };
    withLogContext({ requestId, ...(refid !== undefined && { refid }) }, () => {
      const own = getLogContext();
      // An event runs in the context of its emitter, so the context is captured here.
      response.once("close", () => say(own));
      listener(request, response);
    });
  };
}

/** The request id of a trusted proxy; null if there is no usable one. */
function givenId({ socket, headers }: IncomingMessage, trusted: readonly string[]): string | null {
  const id = headers["x-request-id"];
  if (typeof id !== "string" || !SANE_ID.test(id)) return null;
  return isTrustedProxy(socket.remoteAddress ?? "", trusted) ? id : null;
}

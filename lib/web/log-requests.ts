import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener } from "node:http";
import type { Logger } from "pino";
import { getLogContext, type LogContext, withLogContext } from "#lib/platform/log/log-context.ts";
import { redactSecrets } from "#lib/platform/log/serialize-error.ts";
import { isTrustedProxy } from "#lib/web/api/client-address.ts";

/** An id that a proxy may have given a request (nginx: 32 hexadecimal digits). */
const SANE_ID = /^[0-9A-Za-z._-]{8,64}$/;
/** A link's refid, or a withdrawal's, as a part of a path. */
const REFID = /\/([1-9A-HJ-NP-Za-km-z]{22}|[0-9]{16})(?=\/|$)/;
/** What comes in great numbers and says little: parts of a page, and whoever asks again and again whether all is well. */
const SMALL =
  /^\/_next\/|^\/(?:healthz|readyz|metrics)$|\/version$|\.(?:js|css|webp|png|svg|ico|txt|woff2?)$/;
const LONGEST_PATH = 300;

/**
 * Everything that is done for a request is logged under its id, which its answer has as `x-request-id`; where the path
 * names a link, under that too. One line tells what came of it, never with its query or its sender's address.
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
      // Broken off by the client before there was an answer: nginx's number for it.
      const status = response.headersSent ? response.statusCode : 499;
      const ms = Math.round(performance.now() - started);
      const level = SMALL.test(path) && status < 500 ? "debug" : "info";
      log[level]({ ...request, method, path: redactSecrets(path), status, ms }, "request");
    };
    withLogContext({ requestId, ...(refid !== undefined && { refid }) }, () => {
      const own = getLogContext();
      // It is called on nobody's behalf: an event has the context of whoever brings it about.
      response.once("close", () => say(own));
      listener(request, response);
    });
  };
}

/** The id that a trusted proxy has given the request; null: none that can be used. */
function givenId({ socket, headers }: IncomingMessage, trusted: readonly string[]): string | null {
  const id = headers["x-request-id"];
  if (typeof id !== "string" || !SANE_ID.test(id)) return null;
  return isTrustedProxy(socket.remoteAddress ?? "", trusted) ? id : null;
}

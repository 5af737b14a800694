import type { ServerResponse } from "node:http";
import { addToLogContext, getLogContext } from "#lib/platform/log/log-context.ts";
import { UNAVAILABLE_RETRY_SECONDS } from "#lib/web/plain-http.ts";

/** A field of the request's log context, because Next's error handler knows the request only by it. */
const FIELD = "database";

/** Reports that the current request failed because the database is unavailable. */
export function markUnavailable(): void {
  addToLogContext({ [FIELD]: "unavailable" });
}

/** Next answers every error with 500. Makes it 503 with Retry-After for a request that markUnavailable reported. */
export function setUnavailableStatus(response: ServerResponse): void {
  const context = getLogContext();
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
  response.writeHead = (status: unknown, ...head: unknown[]) => {
    if (status !== 500 || context[FIELD] === undefined) return writeHead(status, ...head);
    response.statusMessage = "";
    response.setHeader("retry-after", UNAVAILABLE_RETRY_SECONDS);
    return writeHead(503, ...head);
  };
}

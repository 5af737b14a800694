import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { findLinkVersion } from "#lib/domain/payment-links/version-queries.ts";
import { isDatabaseUnavailable } from "#lib/platform/db/availability.ts";
import { UNAVAILABLE_RETRY_SECONDS } from "#lib/web/plain-http.ts";
import { UNWATCHED_HEADER } from "#lib/web/realtime/rules.ts";
import type { Realtime } from "#lib/web/realtime/serve-realtime.ts";
import type { Services } from "#lib/web/services.ts";

/** An inner path (route.ts). */
const VERSION_PATH = /^\/pay\/([^/?]+)\/version\/?(?:\?|$)/;

/** The text in place of the refid in the inner path of a version request. null on any other path. */
export function parseVersionRefid(path: string): string | null {
  return VERSION_PATH.exec(path)?.[1] ?? null;
}

/**
 * Answers with the link's version. A page refreshes if its own version is older. Many pages ask at the same time, so
 * that this answer bypasses Next, at a tenth of the cost. Pages without a socket also learn the unwatched networks.
 */
export async function answerVersion(
  { database, log, unwatched }: Pick<Services, "database" | "log"> & Pick<Realtime, "unwatched">,
  refid: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const version = isRefid(refid) ? await findLinkVersion(database.db, refid) : null;
    if (version === null) answer(404, { message: "not found" });
    else answer(200, { version });
  } catch (error) {
    log.error({ err: error }, "cannot look up the version of a payment link");
    if (isDatabaseUnavailable(error))
      answer(503, { message: "service unavailable" }, { "retry-after": String(UNAVAILABLE_RETRY_SECONDS) });
    else answer(500, { message: "internal error" });
  }

  function answer(status: number, content: object, headers: OutgoingHttpHeaders = {}): void {
    const body = JSON.stringify(content);
    const blind = unwatched();
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
      ...headers,
      ...(blind !== null && { [UNWATCHED_HEADER]: blind.join() }),
    });
    response.end(request.method === "HEAD" ? undefined : body);
  }
}

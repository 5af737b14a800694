import type { IncomingMessage, ServerResponse } from "node:http";
import { findLinkVersion } from "#lib/domain/payment-links/link-versions.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { UNWATCHED_HEADER } from "#lib/web/realtime/rules.ts";
import type { Realtime } from "#lib/web/realtime/serve-realtime.ts";
import type { Services } from "#lib/web/services.ts";

/** Inner path: see page-route.ts. */
const VERSION_PATH = /^\/pay\/([^/?]+)\/version\/?(?:\?|$)/;

/** The link whose version is asked for by this inner path; null: something else is. */
export function parseVersionRefid(path: string): string | null {
  return VERSION_PATH.exec(path)?.[1] ?? null;
}

/**
 * The number a page compares with its own to learn whether it is out of date. Every open page asks now and then, and all
 * that a change concerns at the same moment: it is answered ahead of Next, at a tenth of the cost. A page without a socket
 * learns here which networks cannot be seen, too.
 */
export async function answerVersion(
  { database, log, unwatched }: Pick<Services, "database" | "log"> & Pick<Realtime, "unwatched">,
  refid: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const version = isRefid(refid) ? await findLinkVersion(database.db, refid) : null;
    if (version === null) say(404, { message: "not found" });
    else say(200, { version });
  } catch (error) {
    log.error({ err: error }, "cannot look up the version of a payment link");
    say(500, { message: "internal error" });
  }

  function say(status: number, answer: object): void {
    const body = JSON.stringify(answer);
    const blind = unwatched();
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
      ...(blind !== null && { [UNWATCHED_HEADER]: blind.join() }),
    });
    response.end(request.method === "HEAD" ? undefined : body);
  }
}

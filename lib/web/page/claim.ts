import type { IncomingMessage, ServerResponse } from "node:http";
import { findClaimBySecret } from "#lib/domain/withdrawals/claims/queries.ts";
import { claimVersion } from "#lib/domain/withdrawals/claims/rules.ts";
import { answerPlainText, UNAVAILABLE_RETRY_SECONDS } from "#lib/web/plain-http.ts";
import type { Services } from "#lib/web/services.ts";

type Deps = Pick<Services, "database" | "log" | "claimTries">;

/**
 * Decides about a request for a refund claim before Next sees it, because many wrong secrets must cost little. All wrong ones get the
 * same answer. A visitor who tried many, or sent many addresses, is refused whatever the secret is. Returns what remains to be done:
 * the page, the page for unknown links, or nothing.
 */
export async function admitClaim(
  { database, log, claimTries }: Deps,
  { secret, isVersion }: { readonly secret: string; readonly isVersion: boolean },
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<"page" | "unknown" | "answered"> {
  const ip = String(request.headers["x-paylink-client-address"] ?? "");
  const query = new URLSearchParams((request.url ?? "").split("?", 2)[1]);
  const sendsAddress = request.method === "POST" || query.has("to");
  if (sendsAddress ? !claimTries.admit(ip) : !claimTries.hasTries(ip)) {
    answerPlainText(response, 429, "too many tries: wait a few minutes", { "retry-after": "60" });
    return "answered";
  }
  try {
    const view = await findClaimBySecret(database.db, secret);
    if (view === null) {
      claimTries.admit(ip);
      return "unknown";
    }
    if (!isVersion) return "page";
    const body = JSON.stringify({ version: claimVersion(view) });
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    response.writeHead(200, { ...headers, "cache-control": "no-store" });
    response.end(request.method === "HEAD" ? undefined : body);
  } catch (error) {
    log.error({ err: error }, "cannot look up a refund claim");
    const retry = { "retry-after": String(UNAVAILABLE_RETRY_SECONDS) };
    answerPlainText(response, 503, "service unavailable", retry);
  }
  return "answered";
}

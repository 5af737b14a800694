import type { IncomingMessage, ServerResponse } from "node:http";
import { findPagePair } from "#lib/chains/networks.ts";
import { hintTransaction } from "#lib/domain/deposits/watch/expected-queries.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { isDatabaseUnavailable } from "#lib/platform/db/availability.ts";
import { answerPlainText, UNAVAILABLE_RETRY_SECONDS } from "#lib/web/plain-http.ts";
import type { Services } from "#lib/web/services.ts";
import { parseSentRefid } from "./route.ts";

/**
 * Answers the page's notice that a wallet has sent the payment, and makes the watcher look. It proves nothing, and anyone can
 * send it: the watcher bounds what it causes. Not a server action, because the page's refreshes wait for the action before.
 */
export async function answerSent(
  { database, log }: Pick<Services, "database" | "log">,
  { url = "" }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refid = parseSentRefid(url);
  const pair = findPagePair(new URLSearchParams(url.split("?", 2)[1]).get("pair") ?? "");
  if (!isRefid(refid) || pair === null) return answerPlainText(response, 404, "not found");
  try {
    await hintTransaction(database.db, refid, pair.network);
    response.writeHead(204, { "cache-control": "no-store" }).end();
  } catch (error) {
    log.error({ err: error }, "cannot pass on that a wallet has sent a payment");
    if (!isDatabaseUnavailable(error)) return answerPlainText(response, 500, "internal error");
    const retry = { "retry-after": String(UNAVAILABLE_RETRY_SECONDS) };
    answerPlainText(response, 503, "service unavailable", retry);
  }
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { sql } from "drizzle-orm";
import { answerPlainText, UNAVAILABLE_RETRY_SECONDS } from "#lib/web/plain-http.ts";
import { ANSWERS_HEADER } from "#lib/web/realtime/rules.ts";
import type { Services } from "#lib/web/services.ts";

/** Whether a page asks if pages can be rendered now. */
export const isAnswersQuestion = ({ method, headers }: IncomingMessage): boolean =>
  method === "HEAD" && headers[ANSWERS_HEADER] !== undefined;

/**
 * Answers that pages can be rendered: the database answers. At any path, because a proxy passes the page's own path on, and without
 * the page, so that it costs next to nothing and has no effect.
 */
export async function answerAnswers(
  { database }: Pick<Services, "database">,
  response: ServerResponse,
): Promise<void> {
  try {
    await database.db.execute(sql`select`);
    response.writeHead(204, { "cache-control": "no-store" }).end();
  } catch {
    const retry = { "retry-after": String(UNAVAILABLE_RETRY_SECONDS) };
    answerPlainText(response, 503, "service unavailable", retry);
  }
}

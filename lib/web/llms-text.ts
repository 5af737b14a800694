import type { IncomingMessage, ServerResponse } from "node:http";
import { EVENTS } from "#lib/domain/webhooks/events.ts";
import { ENDPOINTS } from "./api/endpoints.ts";
import { introduction, TAG_TEXTS } from "./api/openapi-text.ts";
import { answerPlainText } from "./plain-http.ts";

const WEBHOOKS = `A webhook is a signed POST as Standard Webhooks defines. The signature is
\`v1,\` and the base64 of HMAC-SHA256 of \`{webhook-id}.{webhook-timestamp}.{raw body}\`. The key is the base64-decoded part of the secret after
\`whsec_\`: refuse everything if it is empty, as anyone can sign with an empty key. Compare in constant time, refuse timestamps that differ by
more than five minutes, and answer 2xx within 15 seconds to every type, also unknown ones. An event may come again, and in another order: handle an event of a link only if its \`seq\` is higher than the highest
that you have handled for its \`refid\`.`;

/**
 * The text of /llms.txt (llmstxt.org): what a program that writes code for this service must know. It is composed from what the OpenAPI
 * document is made of, so that it is never out of date.
 */
export function composeLlmsText(publicUrl: string): string {
  const tags = Map.groupBy(ENDPOINTS, ({ tag }) => tag);
  const calls = [...tags].map(([tag, endpoints]) => {
    const lines = endpoints.map(
      ({ method, path, summary }) =>
        `- \`${method.toUpperCase()} /v1${path.replaceAll(/:([^/]+)/g, "{$1}")}\`: ${summary}`,
    );
    return [`### ${tag}`, "", TAG_TEXTS[tag], "", ...lines, ""].join("\n");
  });
  const events = Object.entries(EVENTS).map(([type, { summary }]) => `- \`${type}\`: ${summary}`);
  return [
    "# Paylink",
    "",
    "> Self-hosted crypto payments: payment links with a hosted page, deposits, withdrawals, balances and signed webhooks.",
    "",
    introduction("number"),
    "",
    "## Reference",
    "",
    `- [OpenAPI document](${publicUrl}/v1/openapi.json): every call, field, error and event, with examples`,
    `- [Reference](${publicUrl}/v1/docs): the same to read`,
    `- [Error codes](${publicUrl}/v1/docs/errors): what each code means, and what to do`,
    `- [Postman collection](${publicUrl}/v1/postman.json): every call, for Postman and programs that read its format`,
    "",
    "## Calls",
    "",
    ...calls,
    "## Webhooks",
    "",
    WEBHOOKS,
    "",
    ...events,
  ].join("\n");
}

/** Answers GET and HEAD of /llms.txt. Returns false on any other path. */
export function openLlmsText(
  publicUrl: string,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  let text: string | null = null;
  return (request, response) => {
    if (!/^\/llms\.txt(?:\?|$)/.test(request.url ?? "")) return false;
    if (request.method !== "GET" && request.method !== "HEAD") {
      answerPlainText(response, 405, "method not allowed", { allow: "GET, HEAD" });
      return true;
    }
    text ??= composeLlmsText(publicUrl);
    answerPlainText(response, 200, text, { "cache-control": "no-cache" });
    return true;
  };
}

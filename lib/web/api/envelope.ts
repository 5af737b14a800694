import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type JsonValue, writeJson } from "#lib/platform/json-text.ts";
import { UNAVAILABLE_RETRY_SECONDS } from "#lib/web/plain-http.ts";
import { type AmountPlaces, ANSWER_TYPES, readAmountForm, writeAmountsAsStrings } from "./amount-form.ts";
import { type ApiFailure, codeOf, ERRORS, type ErrorText, HINT_HEADER } from "./errors.ts";
import type { PageMeta } from "./paging.ts";
import type { ApiEnv } from "./types.ts";
import { joinHints } from "./unknown-fields.ts";

/** The success result of an endpoint. */
export interface ApiSuccess {
  readonly ok: true;
  /** Only if it differs from the text of the endpoint. */
  readonly message?: string;
  readonly data: JsonValue;
  /** Only for a list. */
  readonly meta?: PageMeta;
  /** True if the data has a secret, which is not stored for a repeated request: the endpoint makes the same answer again. */
  readonly isSecret?: boolean;
}

/** A response as it is sent, and as it is stored for an Idempotency-Key. */
export interface ApiResponse {
  readonly status: ContentfulStatusCode;
  readonly body: string;
  /** Text of HINT_HEADER. */
  readonly hint?: string | undefined;
  /** The places of amounts in the body. Needed only if the request asks for them as strings. */
  readonly amountPlaces?: () => AmountPlaces | undefined;
}

export function success(data: JsonValue, meta?: PageMeta): ApiSuccess {
  return { ok: true, data, ...(meta && { meta }) };
}

/**
 * Writes the envelope. Success: `{status, message, data}` (plus `meta` for a list) with HTTP 200. Failure:
 * `{status, message, code, doc_url}` with the HTTP status of the reason.
 */
export function toApiResponse(result: ApiSuccess | ApiFailure): ApiResponse {
  if (result.ok) {
    const { message, data, meta } = result;
    return { status: 200, body: writeJson({ status: "success", message, data, meta }) };
  }
  const { status, message, envelope = "fail", hint }: ErrorText = ERRORS[result.reason];
  // The name may come from the caller (a form key). Limit its length.
  const name = (result.name ?? "").slice(0, 100).toWellFormed();
  const { code, doc_url } = codeOf(result.reason);
  const body = writeJson({ status: envelope, message: message.replace("{name}", () => name), code, doc_url });
  return { status, body, hint: joinHints(hint, result.hint) };
}

/** API responses must never be cached. */
const HEADERS = {
  "content-type": `${ANSWER_TYPES.number}; charset=utf-8`,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** Value of Retry-After by status, seconds. The headers of the key's rate limit override it with a longer time. */
const RETRY_SECONDS: Readonly<Record<number, number>> = { 429: 1, 503: UNAVAILABLE_RETRY_SECONDS };

/** The response as a web Response, for code that has no Node response. */
export function toWebResponse({ status, body }: ApiResponse): Response {
  return new Response(body, { status, headers: HEADERS });
}

/**
 * Sends the response directly through Node's response, with amounts in the form that the request asks for. A web Response
 * would turn the text into a stream and read it again.
 */
export function sendResponse(
  context: Context<ApiEnv>,
  { status, body, hint, amountPlaces }: ApiResponse,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const form = readAmountForm(context.req.header("accept"));
  const text = form === "string" && status === 200 ? writeAmountsAsStrings(body, amountPlaces?.()) : body;
  const own = {
    "content-type": `${ANSWER_TYPES[form]}; charset=utf-8`,
    "content-length": Buffer.byteLength(text),
    ...(hint !== undefined && { [HINT_HEADER]: hint }),
  };
  const seconds = RETRY_SECONDS[status];
  const again = seconds === undefined ? {} : { "retry-after": String(seconds) };
  context.env.outgoing.writeHead(status, { ...HEADERS, ...own, ...again, ...headers }).end(text);
  return RESPONSE_ALREADY_SENT;
}

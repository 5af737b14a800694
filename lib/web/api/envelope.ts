import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ApiEnv } from "./endpoint.ts";
import { type ApiFailure, ERRORS, type ErrorText } from "./errors.ts";
import { type JsonValue, writeJson } from "./json-text.ts";
import type { PageMeta } from "./paging.ts";

/** What an endpoint says when it succeeds. */
export interface ApiSuccess {
  readonly ok: true;
  readonly message: string;
  readonly data: JsonValue;
  /** Beside a list. */
  readonly meta?: PageMeta;
}

/** An answer as it goes out, and as an idempotency key keeps it. */
export interface ApiResponse {
  readonly status: ContentfulStatusCode;
  readonly body: string;
}

export function success(message: string, data: JsonValue, meta?: PageMeta): ApiSuccess {
  return { ok: true, message, data, ...(meta && { meta }) };
}

/** The envelope: `{status, message, data}` (and `meta` of a list) with HTTP 200, or `{status, message}` with the reason's status. */
export function toApiResponse(result: ApiSuccess | ApiFailure): ApiResponse {
  if (result.ok) {
    const { message, data, meta } = result;
    return { status: 200, body: writeJson({ status: "success", message, data, meta }) };
  }
  const { status, message, envelope = "fail" }: ErrorText = ERRORS[result.reason];
  // A name may be the caller's own (a form key): shown, but not at any length.
  const name = (result.name ?? "").slice(0, 100).toWellFormed();
  return { status, body: writeJson({ status: envelope, message: message.replace("{name}", () => name) }) };
}

/** Nothing of the API is ever cached on the way. */
const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** An answer as a web Response, for where there is no Node response at hand. */
export function toWebResponse({ status, body }: ApiResponse): Response {
  return new Response(body, { status, headers: HEADERS });
}

/** Sends an answer, straight through Node's response: a web Response makes a stream of the text and reads it again. */
export function sendResponse(
  context: Context<ApiEnv>,
  { status, body }: ApiResponse,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const length = { "content-length": Buffer.byteLength(body) };
  // In a second there is room again, unless the key's rate, which says so itself, takes longer.
  const again = status === 429 ? { "retry-after": "1" } : {};
  context.env.outgoing.writeHead(status, { ...HEADERS, ...length, ...again, ...headers }).end(body);
  return RESPONSE_ALREADY_SENT;
}

import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import type { Permission } from "#lib/domain/authority/types.ts";
import { type JsonValue, writeJson } from "#lib/platform/json-text.ts";
import type { ApiEnv } from "#lib/web/api/types.ts";
import { UNAVAILABLE_RETRY_SECONDS } from "#lib/web/plain-http.ts";

/** A wrong field of a request. */
export interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

/** An answer as it is sent. Every success has the status 200: the plugins' PHP client throws on any other. */
export interface Answer {
  readonly status: 200 | 400 | 401 | 403 | 404 | 405 | 410 | 413 | 422 | 429 | 500 | 503;
  /** The body is null if the answer has none. */
  readonly body: JsonValue;
  readonly headers?: Readonly<Record<string, string>>;
}

export const answer = (body: JsonValue): Answer => ({ status: 200, body });

/** The answer of a deletion. */
export const EMPTY: Answer = { status: 200, body: null };

/** An error with its code, which programs compare. */
export const problem = (
  status: Exclude<Answer["status"], 200 | 422>,
  code: string,
  message: string,
): Answer => ({
  status,
  body: { code, message },
});

/** Wrong fields of a body. */
export const invalid = (...problems: readonly FieldProblem[]): Answer => ({
  status: 422,
  body: problems.map(({ path, message }) => ({ path, message })),
});

export const missingPermission = (needed: Permission): Answer => ({
  status: 403,
  body: {
    code: "missing-permission",
    message: `The API key lacks the permission ${needed}, or the person who made it may not do this.`,
    missingPermission: needed,
  },
});

export const unauthenticated = (message: string): Answer => problem(401, "unauthenticated", message);
export const NO_STORE = problem(404, "store-not-found", "The store was not found.");
export const NO_INVOICE = problem(404, "invoice-not-found", "The invoice was not found.");
export const NO_WEBHOOK = problem(404, "webhook-not-found", "The webhook was not found.");

const HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

/** A time as programs of this protocol read it: whole seconds since 1970. */
export const toSeconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

/** Sends the answer directly through Node's response, as the API does. */
export function sendAnswer(context: Context<ApiEnv>, { status, body, headers }: Answer): Response {
  const text = body === null ? "" : writeJson(body);
  const own = {
    ...(body !== null && JSON_TYPE),
    ...(status === 503 && { "retry-after": String(UNAVAILABLE_RETRY_SECONDS) }),
    "content-length": Buffer.byteLength(text),
  };
  context.env.outgoing.writeHead(status, { ...HEADERS, ...own, ...headers }).end(text);
  return RESPONSE_ALREADY_SENT;
}

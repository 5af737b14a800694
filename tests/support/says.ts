import assert from "node:assert/strict";
import { listErrorCodes } from "#lib/web/api/errors.ts";
import type { TestResponse } from "./api.ts";

/** Result of a call of the typed client. */
interface ClientAnswer<Envelope = unknown> {
  readonly data?: Envelope;
  readonly error?: unknown;
  readonly response: Response;
}

/** Asserts the complete response of the typed client or of `api.send`. */
export function says(answer: ClientAnswer | TestResponse, status: number, body: unknown): void {
  const said =
    "response" in answer
      ? { status: answer.response.status, body: answer.data ?? answer.error }
      : { status: answer.status, body: answer.body };
  assert.deepEqual(said, { status, body });
}

/** Asserts that a response is exactly this error, with a code of the table that has its text. */
export function refused(
  answer: ClientAnswer | TestResponse,
  status: number,
  message: string,
  envelope = "fail",
): void {
  const said = "response" in answer ? answer.error : answer.body;
  const { code = "" } = (said ?? {}) as { readonly code?: string };
  says(answer, status, { status: envelope, message, code, doc_url: `/v1/docs/errors#${code}` });
  const [before = "", after = ""] = (TEXTS.get(code) ?? "no such code").split("{name}");
  assert.ok(message.startsWith(before) && message.endsWith(after), `${code}: ${message}`);
}

const TEXTS = new Map(listErrorCodes().map(({ code, message }) => [code, message]));

/** The envelope of a successful response. Fails with the error's text if the response is an error. */
export function successOf<Envelope>({ data, error }: ClientAnswer<Envelope>): Envelope {
  assert.ok(data !== undefined, JSON.stringify(error));
  return data;
}

/** The envelope of a success; `meta` of a list. */
const success = (message: string, data: unknown, meta?: object) => ({
  ...{ status: "success", message, data },
  ...(meta && { meta }),
});

/** `meta` of a list that ends here. */
export const LAST_PAGE = { has_more: false, next_cursor: null };

/** Asserts that a response is exactly this success. */
export function succeeded(
  answer: ClientAnswer | TestResponse,
  message: string,
  data: unknown,
  meta?: object,
): void {
  says(answer, 200, success(message, data, meta));
}

import { type Dispatcher, request as send } from "undici";
import { type Clock, callLater, clockOf } from "#lib/platform/clock.ts";
import { findUrlProblem } from "#lib/platform/http/outward-url.ts";
import { unlessAborted } from "#lib/platform/repeat.ts";
import type { SendOutcome } from "./types.ts";

/** Bytes of an answer to read, so that the receiver can finish and the connection can be reused. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Bytes of an answer to keep. */
const KEPT_ANSWER_BYTES = 2 * 1024;

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SendOptions extends Partial<Pick<Clock, "sleep">> {
  /** Opened by openGuardedAgent: a merchant's URL must not reach our own network. */
  readonly agent: Dispatcher;
  /** For the whole request: connection, body and answer. */
  readonly timeoutMs: number;
  /** Aborted when this process shuts down. */
  readonly signal: AbortSignal;
}

/** Posts one event. Never throws: an error is part of the outcome. A redirect is an answer like any other. */
export async function sendRequest(request: WebhookRequest, options: SendOptions): Promise<SendOutcome> {
  const problem = findUrlProblem(request.url);
  if (problem !== null) return { kind: "unreachable", error: problem };
  const timeout = new AbortController();
  const inTime = callLater(clockOf(options), options.timeoutMs, () => timeout.abort());
  const signal = AbortSignal.any([timeout.signal, options.signal]);
  try {
    return await post(request, options.agent, signal);
  } catch (error) {
    if (options.signal.aborted) return { kind: "interrupted" };
    return { kind: "unreachable", error: timeout.signal.aborted ? "timeout" : describe(error) };
  } finally {
    inTime();
  }
}

async function post(request: WebhookRequest, agent: Dispatcher, signal: AbortSignal): Promise<SendOutcome> {
  const answered = send(request.url, {
    dispatcher: agent,
    method: "POST",
    headers: { ...request.headers, "content-type": "application/json", "user-agent": "Paylink-Webhooks" },
    body: request.body,
    signal,
    // The signal limits the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // A request that still waits for its connection ignores the signal.
  const response = await unlessAborted(answered, signal);
  const retryAfter = response.headers["retry-after"];
  return {
    kind: "answered",
    status: response.statusCode,
    retryAfter: typeof retryAfter === "string" ? retryAfter : null,
    answer: await readStart(response.body),
  };
}

/**
 * Reads the start of the body. The status alone counts, so a body that breaks off, hangs or never ends
 * changes nothing.
 */
async function readStart(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const kept: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      if (size < KEPT_ANSWER_BYTES) kept.push(chunk);
      size += chunk.length;
      // Leaving the loop closes the connection.
      if (size >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The status alone counts.
  }
  return Buffer.concat(kept).subarray(0, KEPT_ANSWER_BYTES);
}

/** The error code names the cause without the address. It may be in a nested cause. */
function describe(error: unknown): string {
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    if ("code" in e && typeof e.code === "string") return e.code;
  }
  return "request failed";
}

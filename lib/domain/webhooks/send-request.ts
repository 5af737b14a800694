import type { Dispatcher } from "undici";
import { type Clock, callLater, clockOf } from "#lib/platform/clock.ts";
import { findUrlProblem } from "#lib/platform/http/outward-url.ts";
import type { SendOutcome } from "./types.ts";

/** Bytes of an answer to read, so that the receiver can finish and the connection can be reused. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Bytes of an answer to keep. */
const KEPT_ANSWER_BYTES = 2 * 1024;

/** An answer whose end comes without a status. */
const WITHOUT_STATUS: SendOutcome = { kind: "unreachable", error: "request failed" };

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
  const { agent, timeoutMs, signal } = options;
  const exchange = new Exchange();
  const stop = () => exchange.end({ kind: "interrupted" });
  const inTime = callLater(clockOf(options), timeoutMs, () =>
    exchange.end({ kind: "unreachable", error: "timeout" }),
  );
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  else exchange.start(request, agent);
  try {
    return await exchange.outcome;
  } finally {
    inTime();
    signal.removeEventListener("abort", stop);
  }
}

/**
 * One request and its answer, without the streams and signals of undici's `request`, which cost more than the rest of a
 * delivery. It ends once: with the answer, an error, or `end`.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #outcome = Promise.withResolvers<SendOutcome>();
  readonly outcome: Promise<SendOutcome> = this.#outcome.promise;
  readonly #kept: Buffer[] = [];
  #size = 0;
  #answered: { readonly status: number; readonly retryAfter: string | null } | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #ended = false;

  start({ url, headers, body }: WebhookRequest, agent: Dispatcher): void {
    const { origin, pathname, search } = new URL(url);
    const request = {
      origin,
      path: `${pathname}${search}`,
      method: "POST" as const,
      headers: { ...headers, "content-type": "application/json", "user-agent": "Paylink-Webhooks" },
      body,
      // The caller limits the whole request.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    try {
      agent.dispatch(request, this);
    } catch (error) {
      this.end({ kind: "unreachable", error: describe(error) });
    }
  }

  /** Ends the exchange. If the status is known, the outcome is the answer: a body that hangs or never ends changes nothing. */
  end(otherwise: SendOutcome): void {
    if (this.#ended) return;
    this.#ended = true;
    const answer = Buffer.concat(this.#kept).subarray(0, KEPT_ANSWER_BYTES);
    this.#outcome.resolve(
      this.#answered === null ? otherwise : { kind: "answered", ...this.#answered, answer },
    );
    // Closes the connection of an answer that is not complete.
    this.#controller?.abort(new Error("the exchange has ended"));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The request waited for its connection until the exchange had ended.
    if (this.#ended) controller.abort(new Error("the exchange has ended"));
    else this.#controller = controller;
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // An interim answer, such as 103.
    if (status < 200) return;
    const retryAfter = headers["retry-after"];
    this.#answered = { status, retryAfter: typeof retryAfter === "string" ? retryAfter : null };
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#size < KEPT_ANSWER_BYTES) this.#kept.push(chunk);
    this.#size += chunk.length;
    if (this.#size >= MAX_ANSWER_BYTES) this.end(WITHOUT_STATUS);
  }

  onResponseEnd(): void {
    this.#controller = null;
    this.end(WITHOUT_STATUS);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#controller = null;
    this.end({ kind: "unreachable", error: describe(error) });
  }
}

/** The error code names the cause without the address. It may be in a nested cause. */
function describe(error: unknown): string {
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    if ("code" in e && typeof e.code === "string") return e.code;
  }
  return "request failed";
}

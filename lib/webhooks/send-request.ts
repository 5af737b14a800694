import type { SendOutcome } from "./types.ts";

/** Read so that the receiver may finish and the connection be used again; nothing is kept of it. */
const MAX_ANSWER_BYTES = 64 * 1024;

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SendOptions {
  /** For everything: connecting, sending, the answer's head and body. */
  readonly timeoutMs: number;
  /** Aborted when this process shuts down. */
  readonly signal: AbortSignal;
}

/**
 * Posts one event. Never throws: what goes wrong is the outcome. Redirects are answers like any other. The one place
 * from which a merchant's address is called, and so the place to refuse addresses inside our own network.
 */
export async function sendRequest(request: WebhookRequest, options: SendOptions): Promise<SendOutcome> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([timeout, options.signal]);
  try {
    const response = await fetch(request.url, {
      method: "POST",
      headers: { ...request.headers, "content-type": "application/json", "user-agent": "Paylink-Webhooks" },
      body: request.body,
      redirect: "manual",
      signal,
    });
    await drain(response);
    return {
      kind: "answered",
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
    };
  } catch (error) {
    if (options.signal.aborted) return { kind: "interrupted" };
    return { kind: "unreachable", error: timeout.aborted ? "timeout" : describe(error) };
  }
}

/** The status is the answer: a body that breaks off, hangs or never ends does not change it. */
async function drain(response: Response): Promise<void> {
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      // Leaving the loop cancels the rest of the stream.
      if (size >= MAX_ANSWER_BYTES) return;
    }
  } catch {
    // See above.
  }
}

/** fetch hides the cause one level down; its code names it without telling the address. */
function describe(error: unknown): string {
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    if ("code" in e && typeof e.code === "string") return e.code;
  }
  return "request failed";
}

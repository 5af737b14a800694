import type { IncomingMessage, ServerResponse } from "node:http";
import { verifyWebhook, WebhookError } from "@paylink/client";
import { Logger } from "@vendure/core";
import { LOG_CONTEXT } from "./options.ts";

const MAX_BYTES = 1024 * 1024;

interface Receiver {
  readonly secret: string;
  /** Rejects if the webhook should come again. */
  readonly receive: (refid: string) => Promise<void>;
}

/** The exact bytes of a request. Null if they are too many. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function respond(request: IncomingMessage, { secret, receive }: Receiver): Promise<number> {
  if (request.method !== "POST") return 405;
  const body = await readBody(request);
  if (body === null) return 413;
  const { type, data } = verifyWebhook(secret, body, request.headers);
  if (type.startsWith("payment_link_") && "refid" in data) await receive(String(data.refid));
  return 204;
}

/**
 * Receives Paylink's webhooks before anything parses the body. It responds when the payment is recorded: with any other status than 2xx,
 * Paylink sends the webhook again.
 */
export function receiveWebhooks(receiver: () => Receiver) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    respond(request, receiver()).then(
      (status) => response.writeHead(status).end(),
      (error: unknown) => {
        const isForged = error instanceof WebhookError;
        Logger[isForged ? "warn" : "error"](
          `A webhook was refused: ${error instanceof Error ? error.message : error}`,
          LOG_CONTEXT,
        );
        response.writeHead(isForged ? 401 : 500).end();
      },
    );
  };
}

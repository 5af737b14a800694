import { Webhook, WebhookVerificationError } from "standardwebhooks";
import type { WebhookEvent } from "./events.ts";

/** The error of verifyWebhook. Respond with 401 and change nothing. */
export const WebhookError = WebhookVerificationError;

/** Callers without types pass what their framework parsed. Written again, its bytes differ from the signed ones. */
const PARSED_BODY =
  "The body was parsed before it was verified, or was not read. Pass the raw bytes or the text as received " +
  "(Express: express.raw(), Next: await request.text()).";
const NO_SECRET = "There is no webhook secret. Pass the secret (whsec_…) of the webhook endpoint.";

type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies the signature of a webhook, and that it is at most five minutes old (Standard Webhooks). Returns
 * its event. `body`: the exact bytes or text received, not parsed and serialized again. `id` identifies the
 * event and stays the same when it is sent again: store it and ignore events you already have. Throws
 * WebhookError otherwise, and Error without a secret: the receiver is set up wrongly, and the event must come again.
 */
export function verifyWebhook(
  secret: string,
  body: string | Uint8Array,
  headers: Headers | HeaderRecord,
): WebhookEvent {
  if (!secret) throw new Error(NO_SECRET);
  if (typeof body !== "string" && !ArrayBuffer.isView(body)) throw new WebhookError(PARSED_BODY);
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const plain = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  new Webhook(secret).verify(text, plain);
  return { id: plain["webhook-id"], ...JSON.parse(text) } as WebhookEvent;
}

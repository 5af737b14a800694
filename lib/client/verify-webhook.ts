import { Webhook, WebhookVerificationError } from "standardwebhooks";
import type { WebhookEvent } from "./events.ts";

/** What verifyWebhook throws: answer 401 to it, and change nothing. */
export const WebhookError = WebhookVerificationError;

type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The event of a webhook, once its signature holds and it is at most five minutes old (Standard Webhooks). `body`: the
 * exact bytes or text that came, not parsed and written again. `id` names the event: it stays over repetitions, so keep
 * it and ignore those you have. Throws WebhookError otherwise.
 */
export function verifyWebhook(
  secret: string,
  body: string | Uint8Array,
  headers: Headers | HeaderRecord,
): WebhookEvent {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const plain = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  new Webhook(secret).verify(text, plain);
  return { id: plain["webhook-id"], ...JSON.parse(text) } as WebhookEvent;
}

import { createHmac, createSecretKey } from "node:crypto";
import { rememberLast } from "#lib/platform/remember.ts";

const SECRET_PREFIX = "whsec_";
/** Keys to keep. Importing one takes longer than signing. */
const KEPT_KEYS = 10_000;

const importKey = rememberLast(KEPT_KEYS, (secret) => {
  if (!secret.startsWith(SECRET_PREFIX)) throw new Error("webhook secret without its prefix");
  return createSecretKey(secret.slice(SECRET_PREFIX.length), "base64");
});

/** Standard Webhooks signature "v1,<base64>" of the exact body. `timestamp` is in whole seconds since 1970. */
export function signWebhook(secret: string, id: string, timestamp: number, body: string): string {
  const signed = createHmac("sha256", importKey(secret)).update(`${id}.${timestamp}.${body}`);
  return `v1,${signed.digest("base64")}`;
}

/**
 * The three headers of Standard Webhooks, with one signature per secret: two during a rotation. `id` is the
 * same for all attempts; timestamp and signatures are those of `now`.
 */
export function composeWebhookHeaders(
  secrets: readonly string[],
  id: string,
  body: string,
  now: Date,
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.map((secret) => signWebhook(secret, id, timestamp, body)).join(" "),
  };
}

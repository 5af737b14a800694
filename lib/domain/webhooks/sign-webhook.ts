import { createHmac } from "node:crypto";

const SECRET_PREFIX = "whsec_";

/** Standard Webhooks signature "v1,<base64>" of the exact body. `timestamp` is in whole seconds since 1970. */
export function signWebhook(secret: string, id: string, timestamp: number, body: string): string {
  if (!secret.startsWith(SECRET_PREFIX)) throw new Error("webhook secret without its prefix");
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
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

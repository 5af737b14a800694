import { createHmac, randomBytes } from "node:crypto";
import { writeJson } from "#lib/platform/json-text.ts";
import { composeInvoiceBody, composeInvoiceTest, decideAfterInvoiceAttempt } from "./btcpay-rules.ts";
import { decideAfterAttempt } from "./rules.ts";
import { composeWebhookHeaders } from "./sign-webhook.ts";
import type { AttemptDecision, AttemptOutcome, DeliveryIdentity, WebhookFormat } from "./types.ts";

/** A signed request of an endpoint, without its URL. */
interface SignedRequest {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Everything in which the formats of endpoints differ, besides the events. */
interface Format {
  /** A new signing secret. */
  generateSecret(): string;
  /** The exact text of a delivery. */
  composeBody(stored: string, delivery: DeliveryIdentity): string;
  /** `secrets` begins with the current one. The next is the one before a rotation. */
  sign(secrets: readonly string[], webhookId: string, body: string, now: Date): Record<string, string>;
  /** A request that tests an endpoint. `id` is unique. */
  composeTest(id: string, endpoint: { readonly id: number; readonly env: string }, now: Date): string;
  decide(
    outcome: AttemptOutcome,
    delivery: { readonly attempt: number; readonly automaticRedelivery: boolean },
    now: Date,
    random: number,
  ): AttemptDecision;
}

const standard: Format = {
  generateSecret: () => `whsec_${randomBytes(32).toString("base64")}`,
  composeBody: (stored) => stored,
  sign: composeWebhookHeaders,
  composeTest: (_, { id, env }, now) =>
    writeJson({ type: "webhook_test", timestamp: now, data: { id, environment: env } }),
  decide: (outcome, { attempt }, now, random) => decideAfterAttempt(outcome, attempt, now, random),
};

const btcpay: Format = {
  // Shops store the text in settings that keep letters and digits alone.
  generateSecret: () => randomBytes(32).toString("hex"),
  composeBody: composeInvoiceBody,
  sign: ([secret = ""], _, body) => ({ "BTCPay-Sig": signInvoiceBody(secret, body) }),
  composeTest: (id, _, now) => composeInvoiceTest(id, now),
  decide: (outcome, delivery, now) => decideAfterInvoiceAttempt(outcome, delivery, now),
};

const FORMATS: Readonly<Record<WebhookFormat, Format>> = { standard, btcpay };

/** The value of the header `BTCPay-Sig`. The key is the text of the secret in UTF-8. */
export function signInvoiceBody(secret: string, body: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/** The format of an endpoint. */
export const getFormat = (format: WebhookFormat): Format => FORMATS[format];

/** Composes and signs one attempt. */
export function composeAttempt(
  format: WebhookFormat,
  secrets: readonly string[],
  { stored, delivery }: { readonly stored: string; readonly delivery: DeliveryIdentity },
  now: Date,
): SignedRequest {
  const { composeBody, sign } = FORMATS[format];
  const body = composeBody(stored, delivery);
  return { body, headers: sign(secrets, `evt_${delivery.eventId}`, body, now) };
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { verifyWebhook, WebhookError } from "#lib/client/client.ts";
import { composeWebhookHeaders } from "#lib/domain/webhooks/send-request.ts";
import { generateWebhookSecret } from "#lib/domain/webhooks/webhook-endpoints.ts";

const SECRET = generateWebhookSecret();
const BODY =
  '{"type":"payment_link_failed","timestamp":"2026-03-01T12:00:00.000Z","data":{"refid":"x","seq":1,"amount_required":"25000.50"}}';
const headersAt = (now: Date) => composeWebhookHeaders([SECRET], "evt_12", BODY, now);

test("returns the event of a webhook that Paylink signed, from both kinds of headers and from bytes", () => {
  const headers = headersAt(new Date());
  const event = { id: "evt_12", ...JSON.parse(BODY) };
  assert.deepEqual(verifyWebhook(SECRET, BODY, headers), event);
  assert.deepEqual(verifyWebhook(SECRET, Buffer.from(BODY), new Headers(headers)), event);
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  );
  assert.deepEqual(verifyWebhook(SECRET, BODY, upper), event);
});

test("throws on anything else", () => {
  const now = new Date();
  const headers = headersAt(now);
  for (const [body, given] of [
    [`${BODY} `, headers],
    [BODY, { ...headers, "webhook-id": "evt_13" }],
    [BODY, { ...headers, "webhook-signature": "v1,AAAA" }],
    [BODY, {}],
    [BODY, headersAt(new Date(now.getTime() - 6 * 60_000))],
  ] as const) {
    assert.throws(() => verifyWebhook(SECRET, body, given), WebhookError);
  }
  assert.throws(() => verifyWebhook(generateWebhookSecret(), BODY, headers), WebhookError);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { composeWebhookHeaders, signWebhook } from "#lib/domain/webhooks/sign-webhook.ts";
import { generateWebhookSecret } from "#lib/domain/webhooks/webhook-endpoints.ts";

test("computes the same signature as the standardwebhooks package", () => {
  const at = new Date("2026-03-01T12:00:00.999Z");
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }),
      fc.uint8Array({ minLength: 24, maxLength: 64 }),
      (body, key) => {
        const secret = `whsec_${Buffer.from(key).toString("base64")}`;
        const headers = composeWebhookHeaders([secret], "evt_17", body, at);
        assert.deepEqual(headers, {
          "webhook-id": "evt_17",
          "webhook-timestamp": "1772366400",
          "webhook-signature": new Webhook(secret).sign("evt_17", at, body),
        });
      },
    ),
  );
});

test("a receiver accepts our headers, and rejects another body, id or secret", () => {
  const secret = generateWebhookSecret();
  const body = '{"type":"payment_link_completed","data":{}}';
  const headers = composeWebhookHeaders([secret], "evt_1", body, new Date());
  assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body));
  assert.throws(() => new Webhook(secret).verify(`${body} `, headers));
  assert.throws(() => new Webhook(secret).verify(body, { ...headers, "webhook-id": "evt_2" }));
  assert.throws(() => new Webhook(generateWebhookSecret()).verify(body, headers));
});

test("secrets are whsec_ and 32 random bytes, and always differ", () => {
  const secret = generateWebhookSecret();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(generateWebhookSecret(), secret);
});

test("rejects a secret without its prefix", () => {
  assert.throws(() => signWebhook("c2VjcmV0", "evt_1", 1, "{}"), /prefix/);
});

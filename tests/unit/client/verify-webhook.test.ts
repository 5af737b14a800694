import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { composeWebhookHeaders } from "#lib/domain/webhooks/sign-webhook.ts";
import { generateWebhookSecret } from "#lib/domain/webhooks/webhook-endpoints.ts";
import { verifyWebhook, WebhookError } from "#packages/client/src/client.ts";

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

test("says to pass the raw bytes when the body was parsed or not read", () => {
  const headers = headersAt(new Date());
  for (const body of [JSON.parse(BODY), undefined, null, [BODY], 7]) {
    assert.throws(
      () => verifyWebhook(SECRET, body, headers),
      (error) => error instanceof WebhookError && /Pass the raw bytes/.test(error.message),
    );
  }
});

test("the recipe for Next accepts what Paylink signs, and nothing else", async ({ mock }) => {
  const page = readFileSync(new URL("../../../docs/integrate/webhook-recipes.md", import.meta.url), "utf8");
  const [, recipe = ""] = /^## Next$[\s\S]*?^```ts\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const client = '"@paylink/client"';
  assert.ok(recipe.includes(client));
  const folder = mkdtempSync(join(tmpdir(), "paylink-recipe-"));
  process.env.WEBHOOK_SECRET = SECRET;
  const log = mock.method(console, "log", () => {});
  const refused = mock.method(console, "error", () => {});
  try {
    const file = join(folder, "route.mts");
    writeFileSync(
      file,
      recipe.replace(client, JSON.stringify(import.meta.resolve("#packages/client/src/client.ts"))),
    );
    const { POST } = await import(file);
    const post = async (body: string) => {
      const headers = headersAt(new Date());
      const request = new Request("http://shop.example/webhooks", { method: "POST", headers, body });
      return (await POST(request)).status;
    };
    assert.deepEqual([await post(BODY), await post(`${BODY} `)], [204, 401]);
    const handled = log.mock.calls.map((call) => call.arguments);
    assert.deepEqual(handled, [["evt_12", "payment_link_failed"]]);
    const reasons = refused.mock.calls.map((call) => call.arguments);
    assert.deepEqual(reasons, [["webhook refused: No matching signature found"]]);
  } finally {
    delete process.env.WEBHOOK_SECRET;
    rmSync(folder, { recursive: true });
  }
});

test("says that the secret is missing, with an error that is not the sender's fault", () => {
  for (const secret of [undefined as unknown as string, ""]) {
    assert.throws(
      () => verifyWebhook(secret, BODY, headersAt(new Date())),
      (error) =>
        error instanceof Error && !(error instanceof WebhookError) && /no webhook secret/.test(error.message),
    );
  }
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

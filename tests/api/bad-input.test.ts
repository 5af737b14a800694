import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { paymentLinks } from "#lib/db/schema.ts";
import { startApi, type TestAnswer } from "#tests/support/api.ts";
import { aPaymentLink } from "#tests/support/payment-link.ts";

const api = await startApi();
after(() => api.close());
const merchant = await api.merchant();
const headers = { "x-staging-api-key": merchant.test };

const FIELDS = [...Object.keys(aPaymentLink()), "expires_at", "metadata", "amount_currency", "wallets"];
const NASTY = [
  ...[
    "",
    " ",
    "0",
    "-0",
    "1e400",
    "1e-400",
    "NaN",
    "Infinity",
    "0x10",
    " 1 ",
    `0.${"1".repeat(30)}`,
    "null",
    "true",
  ],
  ...[
    "\0",
    "a\0b",
    "\ud800",
    "\udc00a",
    "\u202e",
    "🙂",
    "x".repeat(60_000),
    "[",
    "{",
    '"',
    "[]",
    "{}",
    "[[]]",
    "[null]",
  ],
  ...[
    '{"__proto__":null}',
    '{"email":{}}',
    '[{"network":{},"token":[]}]',
    '[{"network":"__proto__"}]',
    "%",
    "%zz",
  ],
  ...[
    "https://",
    "https://[",
    "https://a:b@c",
    "javascript:1",
    "' or 1=1 --",
    "[".repeat(20_000),
    "2026-13-40T99:99Z",
  ],
];

/** The envelope and nothing else; a refusal names its cause and nothing of ours failed. */
function assertEnvelope(answer: TestAnswer, sent: string): void {
  const body = answer.body as Record<string, unknown>;
  assert.ok(
    answer.status === 200 || (answer.status >= 400 && answer.status < 500),
    `${answer.status}: ${sent}`,
  );
  assert.equal(body.status, answer.status === 200 ? "success" : "fail", sent);
  assert.deepEqual(
    Object.keys(body),
    answer.status === 200 ? ["status", "message", "data"] : ["status", "message"],
    sent,
  );
  assert.match(String(body.message), /^[ -~]{1,200}$/, sent);
}

test("no nasty text in any field, by form or by JSON, gets anything but the envelope", async () => {
  for (const name of FIELDS) {
    for (const value of NASTY) {
      const sent = `${name}=${JSON.stringify(value).slice(0, 60)}`;
      const fields = aPaymentLink({ [name]: value });
      assertEnvelope(await api.send({ path: "/payment-links", form: fields, headers }), `form ${sent}`);
      assertEnvelope(await api.send({ path: "/payment-links", json: fields, headers }), `json ${sent}`);
    }
  }
});

test("no JSON value in any field gets anything but the envelope", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...FIELDS), fc.jsonValue(), async (name, value) => {
      const json = { ...aPaymentLink(), [name]: value };
      assertEnvelope(await api.send({ path: "/payment-links", json, headers }), JSON.stringify(json));
    }),
    { numRuns: 300 },
  );
});

test("what was refused left nothing behind", async () => {
  const before = await api.database.db.$count(paymentLinks);
  const answer = await api.send({ path: "/payment-links", form: aPaymentLink({ metadata: "{" }), headers });
  assert.equal(answer.status, 400);
  assert.equal(await api.database.db.$count(paymentLinks), before);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createLink } from "#lib/demo/shop.ts";
import { createPaylinkClient } from "#packages/client/src/client.ts";
import { startTestApi } from "#tests/support/api.ts";

const api = await startTestApi();
const merchant = await api.merchant();
const paylink = createPaylinkClient({ baseUrl: `${api.origin}/v1`, apiKey: merchant.test });

const LINK = {
  amount: "0.123456789012345678",
  amount_currency: "usdt",
  payment_reference: "ORDER1",
  customer_details: { email: "ada@example.com", first_name: "Ada", last_name: "Obi" },
  success_url: "https://shop.example.com/thanks",
  cancel_url: "https://shop.example.com/cart",
  metadata: { amount: 1.5 },
} as const;

test("creates, reads and lists a link with exact amounts and unchanged metadata", async () => {
  const made = await paylink.POST("/payment-links", {
    params: { header: { "idempotency-key": "order-1" } },
    body: {
      ...LINK,
      amount: "25000.50",
      amount_currency: "ngn",
      wallets: [{ network: "bep20", token: "USDT" }],
    },
  });
  assert.equal(made.error, undefined);
  assert.equal(made.data?.message, "payment link generated successfully");
  const { refid, amount_required, wallet_pre_generated } = made.data!.data;
  assert.deepEqual(
    { amount_required, wallet_pre_generated },
    { amount_required: "25000.5", wallet_pre_generated: 1 },
  );
  const read = await paylink.GET("/payment-links/{refid}", { params: { path: { refid } } });
  assert.equal(read.data?.data.quotes[0]?.amount, "16.67");
  assert.equal(read.data?.data.quotes[0]?.rate, "1500");
  assert.deepEqual(read.data?.data.metadata, { amount: 1.5 });
  const list = await paylink.GET("/payment-links", {
    params: { query: { payment_reference: "ORDER1", count: "1" } },
  });
  assert.deepEqual(
    list.data?.data.map((link) => [link.refid, link.amount_required]),
    [[refid, "25000.5"]],
  );
  assert.deepEqual(list.data?.meta, { has_more: false, next_cursor: null, total: 1 });
});

test("returns a failure as an error with its text, not as an exception", async () => {
  const { data, error, response } = await paylink.POST("/payment-links", { body: { ...LINK, amount: "0" } });
  assert.equal(data, undefined);
  assert.deepEqual(error, {
    status: "fail",
    message: "amount must be greater than 0",
    code: "amount_not_positive",
    doc_url: "/v1/docs/errors#amount_not_positive",
  });
  assert.equal(response.status, 400);
});

test("selects the environment by the key and throws on a malformed key", async () => {
  const live = createPaylinkClient({ baseUrl: `${api.origin}/v1/`, apiKey: merchant.live });
  const { data } = await live.GET("/payment-links");
  assert.deepEqual(data?.data, []);
  assert.throws(() => createPaylinkClient({ baseUrl: api.origin, apiKey: "sk_test" }), TypeError);
});

test("the demo shop creates links with the client and gets the reason of a failure", async () => {
  const shop = { baseUrl: `${api.origin}/v1`, testKey: merchant.test, shopUrl: "http://127.0.0.1:3001" };
  assert.match(await createLink(shop, "16000", "SHOP1"), /^https:\/\/pay\.example\.com\/[1-9A-Za-z]{22}$/);
  await assert.rejects(createLink(shop, "0", "SHOP2"), /amount must be greater than 0/);
});

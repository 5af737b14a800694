import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startApi } from "#tests/support/api.ts";
import { aPaymentLink } from "#tests/support/payment-link.ts";

const NOW = new Date("2026-03-01T12:00:00.250Z");
const api = await startApi({ now: () => NOW });
after(() => api.close());
const merchant = await api.merchant();
const stranger = await api.merchant();

const METADATA = '{ "order" : 1001.00, "tags":["a" , "b"] }';
const NOT_FOUND = { status: "fail", message: "refid details not found" };

async function newLink(changes: Record<string, string> = {}): Promise<{ refid: string; address: string }> {
  const form = aPaymentLink({ metadata: METADATA, ...changes });
  const answer = await api.send({
    path: "/payment-links",
    form,
    headers: { "x-staging-api-key": merchant.test },
  });
  const { data } = answer.body as { data: { refid: string; wallets: { address: string }[] } };
  return { refid: data.refid, address: data.wallets[0]?.address ?? "" };
}

const read = (refid: string, headers: Record<string, string>) =>
  api.send({ path: `/payment-links/${refid}`, headers });

function created(refid: string): Record<string, unknown> {
  return {
    refid,
    payment_reference: "ORDER1001",
    payment_link: `https://pay.example.com/${refid}`,
    wallets: [],
    wallet_pre_generated: 0,
    amount_required: 25000.5,
    amount_currency: "ngn",
    expires_at: "2026-03-01T14:00:01Z",
    state: "open",
    version: 1,
    seq: 0,
    late: false,
    reason: null,
    created_at: "2026-03-01T12:00:00.250Z",
    completed_at: null,
    customer_details: { email: "ada@example.com", first_name: "Ada", last_name: "Obi", phone: null },
    metadata: { order: 1001, tags: ["a", "b"] },
    success_url: "https://shop.example.com/thanks",
    cancel_url: "https://shop.example.com/cart",
    quotes: [],
    payments: [],
    remaining: [],
    excess: [],
  };
}

test("an open link is read whole, its metadata word for word", async () => {
  const { refid } = await newLink();
  const answer = await read(refid, { "x-staging-api-key": merchant.test });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, {
    status: "success",
    message: "payment link retrieved successfully",
    data: created(refid),
  });
  assert.ok(answer.text.includes(`"metadata":${METADATA}`), answer.text);
});

test("a link with wallets awaits, and shows its quote and what remains in exact numbers", async () => {
  const { refid, address } = await newLink({ wallets: '[{"network":"bep20","token":"USDT"}]' });
  const answer = await read(refid, { "x-staging-api-key": merchant.test });
  const { data } = answer.body as { data: Record<string, unknown> };
  assert.deepEqual(data, {
    ...created(refid),
    wallets: [{ address, network: "bep20", token: "USDT" }],
    wallet_pre_generated: 1,
    state: "awaiting",
    version: data.version,
    // 25000.50 NGN at 1500 a dollar is 16.667 USDT exactly.
    quotes: [
      {
        network: "bep20",
        token: "usdt",
        address,
        amount: 16.667,
        rate: 1500,
        rate_source: "fixed",
        rate_at: "2026-03-01T12:00:00.250Z",
        valid_until: "2026-03-01T12:20:00.250Z",
        live: true,
      },
    ],
    remaining: [{ network: "bep20", token: "usdt", amount: 16.667 }],
  });
  assert.match(answer.text, /"amount":16\.667,/);
});

test("a link belongs to its merchant and its environment", async () => {
  const { refid } = await newLink();
  const others: Record<string, string>[] = [
    { "x-api-key": merchant.live },
    { "x-staging-api-key": stranger.test },
    { "x-api-key": stranger.live },
  ];
  for (const headers of others) {
    const answer = await read(refid, headers);
    assert.deepEqual({ status: answer.status, body: answer.body }, { status: 404, body: NOT_FOUND });
  }
});

test("what is no refid is unknown", async () => {
  for (const refid of ["1", "z".repeat(22), "a.b", "a%27b", "x".repeat(4000)]) {
    const answer = await read(refid, { "x-staging-api-key": merchant.test });
    assert.deepEqual({ status: answer.status, body: answer.body }, { status: 404, body: NOT_FOUND });
  }
  const answer = await read("a%00b", { "x-staging-api-key": merchant.test });
  assert.deepEqual(
    { status: answer.status, body: answer.body },
    { status: 404, body: { status: "fail", message: "not found" } },
  );
});

test("an absent refid is named", async () => {
  const answer = await read("", { "x-staging-api-key": merchant.test });
  assert.deepEqual(
    { status: answer.status, body: answer.body },
    { status: 400, body: { status: "fail", message: "refid not found in params" } },
  );
});

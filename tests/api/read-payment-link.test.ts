import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "drizzle-orm";
import { startTestApi } from "#tests/support/api.ts";
import { paymentLinkForm } from "#tests/support/payment-link.ts";
import { refused, succeeded, successOf } from "#tests/support/says.ts";

const NOW = new Date("2026-03-01T12:00:00.250Z");
let now = NOW;
const api = await startTestApi({ now: () => now });
const merchant = await api.merchant();
const otherMerchant = await api.merchant();

const METADATA = '{ "order" : 1001.00, "tags":["a" , "b"] }';
async function newLink(changes: Record<string, string> = {}): Promise<{ refid: string; address: string }> {
  // Only a form keeps the exact text of the metadata.
  const form = paymentLinkForm({ metadata: METADATA, ...changes });
  const response = await api.send({ path: "/payment-links", form, key: merchant.test });
  const { data } = response.body as { data: { refid: string; wallets: { address: string }[] } };
  return { refid: data.refid, address: data.wallets[0]?.address ?? "" };
}

const read = (refid: string, key = merchant.test) =>
  api.client(key).GET("/payment-links/{refid}", { params: { path: { refid } } });
const readText = async (refid: string) => {
  const { text } = await api.send({ path: `/payment-links/${refid}`, key: merchant.test });
  return text;
};

function created(refid: string): Record<string, unknown> {
  return {
    refid,
    payment_reference: "ORDER1001",
    payment_link: `https://pay.example.com/${refid}`,
    wallets: [],
    wallet_pre_generated: 0,
    amount_required: "25000.5",
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
    description: null,
    items: [],
    quotes: [],
    payments: [],
    payments_count: 0,
    remaining: [],
    excess: [],
  };
}

test("returns an open link complete, with unchanged metadata", async () => {
  const { refid } = await newLink();
  succeeded(await read(refid), "payment link retrieved successfully", created(refid));
  const text = await readText(refid);
  assert.ok(text.includes(`"metadata":${METADATA}`), text);
});

test("a link with wallets is awaiting, and has its quote and the exact remaining amount", async () => {
  const { refid, address } = await newLink({ wallets: '[{"network":"bep20","token":"USDT"}]' });
  const { data } = successOf(await read(refid));
  assert.deepEqual(data, {
    ...created(refid),
    wallets: [{ address, network: "bep20", token: "USDT" }],
    wallet_pre_generated: 1,
    state: "awaiting",
    version: data.version,
    // 25000.50 NGN at 1500 NGN per dollar is 16.667 USDT, rounded up to a cent.
    quotes: [
      {
        network: "bep20",
        token: "usdt",
        address,
        amount: "16.67",
        rate: "1500",
        rate_source: "fixed",
        rate_at: "2026-03-01T12:00:00.250Z",
        valid_until: "2026-03-01T12:20:00.250Z",
        live: true,
      },
    ],
    remaining: [{ network: "bep20", token: "usdt", amount: "16.67" }],
  });
  assert.match(await readText(refid), /"amount":16\.67,/);
});

test("reading a link whose quote ran out changes nothing, and asking for quotes makes a new one", async (t) => {
  const { refid } = await newLink({ wallets: '[{"network":"bep20","token":"USDT"}]' });
  const pays = { network: "bep20", token: "usdt", amount: "16.67" };
  const before = successOf(await read(refid)).data;
  assert.deepEqual(before.remaining, [pays]);
  now = new Date(NOW.getTime() + 20 * 60_000);
  t.after(() => {
    now = NOW;
  });
  const after = successOf(await read(refid)).data;
  assert.deepEqual([after.quotes.map(({ live }) => live), after.remaining], [[false], []]);
  assert.equal(after.version, before.version);
  const params = { path: { refid } };
  const renew = (key: string) => api.client(key).POST("/payment-links/{refid}/quotes", { params });
  const { data } = successOf(await renew(merchant.test));
  assert.deepEqual([data.quotes.map(({ live }) => live), data.remaining], [[true, false], [pays]]);
  assert.deepEqual(successOf(await renew(merchant.test)).data, data, "a live quote stays");
  assert.deepEqual(successOf(await read(refid)).data, data);
  refused(await renew(otherMerchant.test), 404, "refid details not found");
});

test("a link belongs to its merchant and environment", async () => {
  const { refid } = await newLink();
  for (const key of [merchant.live, otherMerchant.test, otherMerchant.live]) {
    refused(await read(refid, key), 404, "refid details not found");
  }
});

test("cancels an unpaid link, again without effect, and not one of others", async () => {
  const { refid } = await newLink({ wallets: '[{"network":"bep20","token":"USDT"}]' });
  const cancel = (key: string, of = refid) =>
    api.client(key).POST("/payment-links/{refid}/cancel", { params: { path: { refid: of } } });
  for (const key of [merchant.live, otherMerchant.test]) {
    refused(await cancel(key), 404, "refid details not found");
  }
  const { data } = successOf(await cancel(merchant.test));
  assert.partialDeepStrictEqual(data, { refid, state: "expired", reason: "canceled", remaining: [] });
  assert.deepEqual(successOf(await cancel(merchant.test)).data, data);
  refused(await cancel(merchant.test, "mistyped"), 404, "refid details not found");
});

test("refuses to cancel a link that has ended, and names its state", async () => {
  const { refid } = await newLink();
  await api.database.db.execute(sql`update payment_links set state = 'completed' where refid = ${refid}`);
  const params = { path: { refid } };
  refused(
    await api.client(merchant.test).POST("/payment-links/{refid}/cancel", { params }),
    409,
    "payment link cannot be canceled: its state is completed",
  );
});

test("does not find a text that is not a refid", async () => {
  for (const refid of ["1", "z".repeat(22), "a.b", "a'b", "x".repeat(4000)]) {
    refused(await read(refid), 404, "refid details not found");
  }
  for (const refid of ["a%27b", "a%00b", "%ED%A0%80"]) {
    const answer = await api.send({ path: `/payment-links/${refid}`, key: merchant.test });
    refused(answer, 404, "refid details not found");
  }
  refused(await read(""), 400, "refid not found in params");
});

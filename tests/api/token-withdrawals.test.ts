/** Endpoint 1, GET /transaction/token-withdrawal. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import type { RequestQuery } from "#lib/client/client.ts";
import { apiKeys, merchants } from "#lib/domain/merchants/tables.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { startApi } from "#tests/support/api.ts";
import { refused, says, successOf } from "#tests/support/says.ts";
import { aWithdrawal, DESTINATION, fund, USDT } from "#tests/support/withdrawals.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const LATER = new Date("2026-03-01T12:05:00.000Z");
const api = await startApi();
after(() => api.close());
const { db } = api.database;
const { networks } = api.services;
const adapter = networks.find("test", "bep20")!;
const merchant = await api.merchant();
const otherMerchant = await api.merchant();
const key = { "x-staging-api-key": merchant.test };

type Query = RequestQuery<"/transaction/token-withdrawal">;
const list = (query: Query = {}, by = merchant.test) =>
  api.client(by).GET("/transaction/token-withdrawal", { params: { query } });
const send = (query: string, headers: Record<string, string> = key) =>
  api.send({ path: `/transaction/token-withdrawal${query}`, headers });
const EMPTY = {
  status: "success",
  message: "token withdrawals retrieved successfully",
  data: [] as unknown[],
  meta: { has_more: false, next_cursor: null as string | null },
};

await fund(db, adapter, merchant.id, 1_000n * USDT);
const pending = await aWithdrawal(
  { db, networks },
  merchant.email,
  { amount: 12_345_678_901_234_567_891n },
  AT,
);
/** Changes a withdrawal as the follower does, on a network that is disabled here. */
const [completed] = await db
  .insert(withdrawals)
  .values({
    ...{ refid: "4821907735610284", env: "test", merchantId: merchant.id, token: "btc", network: "bitcoin" },
    ...{ toAddress: "tb1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq0l98cr", amount: 150_000n, fee: 5_000n },
    ...{ status: 3, checked: true, txHash: "ab".repeat(32) },
    ...{ processedAt: LATER, createdAt: AT, updatedAt: LATER },
  })
  .returning();

const RECORDS = [
  {
    id: completed!.id,
    refid: "4821907735610284",
    checked: 1,
    status: 3,
    email: merchant.email,
    value: "0.0015",
    _to: "tb1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq0l98cr",
    token: "btc",
    network: "bitcoin",
    fee: "0.00005",
    contract: null,
    tx_hash: "ab".repeat(32),
    processed_at: LATER.toISOString(),
    created_at: AT.toISOString(),
    updated_at: LATER.toISOString(),
  },
  {
    id: pending.id,
    refid: pending.refid,
    checked: 1,
    status: 0,
    email: merchant.email,
    value: "12.345678901234567891",
    _to: DESTINATION,
    token: "usdt",
    network: "bep20",
    fee: "1",
    contract: "0x337610d27c682E347C9cD60BD4b3b107C9d34dDd",
    tx_hash: null,
    processed_at: null,
    created_at: AT.toISOString(),
    updated_at: AT.toISOString(),
  },
];

test("the list is empty without withdrawals", async () => {
  says(await list({}, otherMerchant.test), 200, EMPTY);
  says(await list({ count: "1" }, otherMerchant.test), 200, { ...EMPTY, meta: { ...EMPTY.meta, total: 0 } });
});

test("lists every withdrawal complete, newest first, with exact amounts", async () => {
  says(await list({ count: "1" }), 200, { ...EMPTY, data: RECORDS, meta: { ...EMPTY.meta, total: 2 } });
  const { text } = await send("");
  assert.ok(text.includes('"value":12.345678901234567891,'), text);
  assert.ok(text.includes('"fee":0.00005,'), text);
});

test("a page ends at its limit and has the cursor of the next page", async () => {
  const first = await list({ limit: 1 });
  const next_cursor = String(completed!.id);
  says(first, 200, { ...EMPTY, data: [RECORDS[0]], meta: { has_more: true, next_cursor } });
  says(await list({ limit: 1, cursor: next_cursor }), 200, { ...EMPTY, data: [RECORDS[1]] });
});

test("lists withdrawals of every status", async () => {
  for (const status of [0, 1, 2, 3, 5] as const) {
    await db.update(withdrawals).set({ status }).where(eq(withdrawals.id, pending.id));
    const { data } = successOf(await list({ limit: 500 }));
    assert.equal(data[1]!.status, status);
  }
});

test("does not list withdrawals of another merchant or environment", async () => {
  says(await list({}, otherMerchant.test), 200, EMPTY);
  says(await list({}, merchant.live), 200, EMPTY);
});

for (const [query, message] of [
  [{ limit: 0 }, "limit must be between 1 and 500"],
  [{ limit: 501 }, "limit must be between 1 and 500"],
  [{ cursor: "abc" }, "invalid cursor"],
  [{ cursor: "0" }, "invalid cursor"],
] as const) {
  test(`refuses ${JSON.stringify(query)}`, async () => refused(await list(query), 400, message));
}

test("refuses ?limit=ten", async () => {
  refused(await send("?limit=ten"), 400, "limit must be between 1 and 500");
});

test("a disabled merchant is invalid, a removed one does not exist", async () => {
  const own = db.update(merchants);
  const where = eq(merchants.id, merchant.id);
  try {
    await own.set({ status: "disabled" }).where(where);
    refused(await list(), 403, "Invalid merchant");
    await own.set({ status: "removed" }).where(where);
    refused(await list(), 404, "Merchant does not exist");
  } finally {
    await own.set({ status: "active" }).where(where);
  }
  assert.equal(successOf(await list()).data.length, 2);
});

test("requires a key that may read", async () => {
  refused(await send("", {}), 401, "invalid api key");
  await db.update(apiKeys).set({ scope: "payment-links" });
  try {
    refused(await list(), 403, "api key not allowed for this operation");
    await db.update(apiKeys).set({ scope: "read" });
    assert.equal((await list()).response.status, 200);
  } finally {
    await db.update(apiKeys).set({ scope: "full" });
  }
});

test("refuses other methods", async () => {
  const answer = await api.send({
    ...{ method: "POST", path: "/transaction/token-withdrawal", headers: key, json: {} },
  });
  refused(answer, 405, "method not allowed");
});

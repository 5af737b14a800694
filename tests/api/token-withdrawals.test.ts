/** Endpoints 1 and 5: the list of withdrawals, and one by its reference. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import type { RequestQuery } from "#packages/client/src/client.ts";
import { startTestApi } from "#tests/support/api.ts";
import { LAST_PAGE, refused, succeeded, successOf } from "#tests/support/says.ts";
import { aWithdrawal, DESTINATION, fund, USDT } from "#tests/support/withdrawals.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const LATER = new Date("2026-03-01T12:05:00.000Z");
const api = await startTestApi();
const { db } = api.database;
const { networks } = api.services;
const merchant = await api.merchant();
const otherMerchant = await api.merchant();

const list = (query: RequestQuery<"/transaction/token-withdrawal"> = {}, by = merchant.test) =>
  api.client(by).GET("/transaction/token-withdrawal", { params: { query } });
const get = (refid: string, by = merchant.test) =>
  api.client(by).GET("/transaction/refId/{refid}", { params: { path: { refid } } });

await fund(db, networks.find("test", "bep20")!, merchant.id, 1_000n * USDT);
const amount = 12_345_678_901_234_567_891n;
const pending = await aWithdrawal({ db, networks }, merchant.email, { amount }, AT);
const { id, refid } = pending;
/** Changes a withdrawal as the follower does, on a network that is disabled here. */
const [completed] = await db
  .insert(withdrawals)
  .values({
    ...{ refid: "4821907735610284", env: "test", merchantId: merchant.id, token: "btc", network: "bitcoin" },
    ...{ toAddress: "tb1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq0l98cr", amount: 150_000n, fee: 5_000n },
    ...{ status: "completed" as const, checked: true, txHash: "ab".repeat(32) },
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
    id,
    refid,
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

test("lists every withdrawal complete, newest first, with exact amounts", async () => {
  succeeded(await list(), "token withdrawals retrieved successfully", RECORDS, LAST_PAGE);
  const { text } = await api.send({ path: "/transaction/token-withdrawal", key: merchant.test });
  assert.ok(text.includes('"value":12.345678901234567891,'), text);
  assert.ok(text.includes('"fee":0.00005,'), text);
});

test("finds a withdrawal by its reference; the message contains a JSON object as text", async () => {
  const answer = await get(refid);
  const message = `withdrawal retrieved successfully: {"refid":"${refid}","status":0}`;
  succeeded(answer, message, RECORDS[1]);
  assert.deepEqual(JSON.parse(message.slice(message.indexOf("{"))), { refid, status: 0 });
  const { text } = await api.send({ path: `/transaction/refId/${refid}`, key: merchant.test });
  assert.match(text, /"value":12\.345678901234567891,.*"fee":1,/);
});

test("lists withdrawals of every status", async () => {
  for (const [status, number] of [
    ["pending", 0],
    ["processing", 1],
    ["failed", 2],
    ["completed", 3],
    ["refund_queued", 5],
  ] as const) {
    await db.update(withdrawals).set({ status }).where(eq(withdrawals.id, id));
    assert.equal(successOf(await list({ limit: 500 })).data[1]!.status, number);
  }
});

test("does not find withdrawals of another merchant or environment, or by another text", async () => {
  const unknown = "refid details not found";
  for (const key of [otherMerchant.test, merchant.live]) refused(await get(refid, key), 404, unknown);
  for (const text of ["1", `${refid}0`, `0${refid}`, "nonsense", "\0", "a/b", "9".repeat(5_000)])
    refused(await get(text), 404, unknown);
  refused(await api.send({ path: "/transaction/refId/%ED%A0%80", key: merchant.test }), 404, unknown);
});

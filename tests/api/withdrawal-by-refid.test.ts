/** Endpoint 5, GET /transaction/refId/:refid. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { apiKeys } from "#lib/domain/merchants/tables.ts";
import { startApi } from "#tests/support/api.ts";
import { refused, says, successOf } from "#tests/support/says.ts";
import { aWithdrawal, DESTINATION, fund, USDT } from "#tests/support/withdrawals.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startApi();
after(() => api.close());
const { db } = api.database;
const { networks } = api.services;
const merchant = await api.merchant();
const otherMerchant = await api.merchant();
const key = { "x-staging-api-key": merchant.test };
await fund(db, networks.find("test", "bep20")!, merchant.id, 100n * USDT);
const { id, refid } = await aWithdrawal({ db, networks }, merchant.email, {}, AT);

const get = (refid: string, by = merchant.test) =>
  api.client(by).GET("/transaction/refId/{refid}", { params: { path: { refid } } });
const send = (path: string, headers: Record<string, string> = key) =>
  api.send({ path: `/transaction/refId/${path}`, headers });

test("finds a withdrawal by its reference; the message contains a JSON object as text", async () => {
  const answer = await get(refid);
  says(answer, 200, {
    status: "success",
    message: `withdrawal retrieved successfully: {"refid":"${refid}","status":0}`,
    data: {
      id,
      refid,
      checked: 1,
      status: 0,
      email: merchant.email,
      value: "10",
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
  });
  const { message } = successOf(answer);
  assert.deepEqual(JSON.parse(message.slice(message.indexOf("{"))), { refid, status: 0 });
  const { text } = await send(refid);
  assert.match(text, /"value":10,.*"fee":1,/);
});

const UNKNOWN = "refid details not found";
for (const text of ["1", `${refid}0`, `0${refid}`, "nonsense", "\0", "a/b", "9".repeat(5_000)]) {
  test(`does not find ${JSON.stringify(text.slice(0, 30))}`, async () =>
    refused(await get(text), 404, UNKNOWN));
}

test("does not find %ED%A0%80", async () => refused(await send("%ED%A0%80"), 404, UNKNOWN));

test("does not find withdrawals of another merchant or environment", async () => {
  refused(await get(refid, otherMerchant.test), 404, UNKNOWN);
  refused(await get(refid, merchant.live), 404, UNKNOWN);
});

test("reports a missing reference", async () => {
  refused(await get(""), 400, "refid not found in params");
});

test("the path is case-sensitive", async () => {
  refused(await api.send({ path: `/transaction/refid/${refid}`, headers: key }), 404, "not found");
});

test("requires a key that may read", async () => {
  refused(await send(refid, {}), 401, "invalid api key");
  await db.update(apiKeys).set({ scope: "payment-links" });
  try {
    refused(await get(refid), 403, "api key not allowed for this operation");
    await db.update(apiKeys).set({ scope: "read" });
    assert.equal((await get(refid)).response.status, 200);
  } finally {
    await db.update(apiKeys).set({ scope: "full" });
  }
});

test("refuses other methods", async () => {
  const answer = await api.send({
    ...{ method: "POST", path: `/transaction/refId/${refid}`, headers: key, json: {} },
  });
  refused(answer, 405, "method not allowed");
});

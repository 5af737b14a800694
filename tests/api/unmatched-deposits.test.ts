import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { RequestQuery } from "#lib/client/client.ts";
import { apiKeys } from "#lib/domain/merchants/tables.ts";
import { startApi, type TestMerchant } from "#tests/support/api.ts";
import { refused, says, successOf } from "#tests/support/says.ts";
import { aForeignDeposit, anAddress, anUnmatchedDeposit } from "#tests/support/unmatched.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startApi();
after(() => api.close());
const { db } = api.database;
const adapter = api.services.networks.find("test", "bep20")!;
const merchant: TestMerchant = await api.merchant();
const otherMerchant: TestMerchant = await api.merchant();
const key = { "x-staging-api-key": merchant.test };

type Query = RequestQuery<"/deposits/unmatched">;
const list = (query: Query = {}, by = merchant.test) =>
  api.client(by).GET("/deposits/unmatched", { params: { query } });
const send = (query: string, headers: Record<string, string> = key) =>
  api.send({ path: `/deposits/unmatched${query}`, headers });
const EMPTY = {
  status: "success",
  message: "unmatched deposits retrieved successfully",
  data: [],
  meta: { has_more: false, next_cursor: null },
};
const refs = ({ data }: { data: readonly { ref: string }[] }) => data.map(({ ref }) => ref);

const { id: addressId, address } = await anAddress(db, adapter, merchant.id);

test("the list is empty without unmatched deposits", async () => {
  says(await list(), 200, EMPTY);
  says(await list({ count: "1" }), 200, { ...EMPTY, meta: { ...EMPTY.meta, total: 0 } });
});

let held: { id: number; txHash: string };
let unknown: { id: number; txHash: string };

test("lists every deposit complete, newest first, with exact amounts", async () => {
  held = await anUnmatchedDeposit(db, { addressId, at: AT }, 1_234_567_890_123_456_789n);
  unknown = await aForeignDeposit(db, { addressId, at: AT });
  const common = {
    status: 3,
    genesis: 1,
    email: merchant.email,
    network: "bep20",
    address_network: "bep20",
    address: adapter.displayAddress(address),
    sender: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    customer: null,
    created_at: AT.toISOString(),
    updated_at: AT.toISOString(),
  };
  says(await list(), 200, {
    ...EMPTY,
    data: [
      {
        ...common,
        ref: String(unknown.id),
        reason: "unknown_token",
        value: null,
        raw_value: String(2n ** 255n),
        token: null,
        contract: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        extra: null,
        tx_hash: unknown.txHash,
        output_pos: 6,
        confirmations: null,
        required_confirmations: null,
      },
      {
        ...common,
        ref: String(held.id),
        reason: "no_purpose",
        value: "1.234567890123456789",
        raw_value: null,
        token: "usdt",
        contract: null,
        extra: null,
        tx_hash: held.txHash,
        output_pos: 4,
        confirmations: 1,
        required_confirmations: 1,
      },
    ],
  });
  const { text } = await send("");
  assert.ok(text.includes('"value":1.234567890123456789,'), text);
  assert.ok(text.includes(`"raw_value":${2n ** 255n},`), text);
});

test("a page ends at its limit and has the cursor of the next page", async () => {
  const first = successOf(await list({ limit: 1, count: "1" }));
  assert.deepEqual(refs(first), [String(unknown.id)]);
  assert.deepEqual(first.meta, { has_more: true, next_cursor: String(unknown.id), total: 2 });
  const second = successOf(await list({ limit: 1, cursor: String(unknown.id) }));
  assert.deepEqual(refs(second), [String(held.id)]);
  assert.deepEqual(second.meta, { has_more: false, next_cursor: null });
});

test("does not list deposits of another merchant or environment", async () => {
  says(await list({}, otherMerchant.test), 200, EMPTY);
  says(await list({}, merchant.live), 200, EMPTY);
});

for (const [query, message] of [
  [{ limit: 0 }, "limit must be between 1 and 500"],
  [{ limit: 501 }, "limit must be between 1 and 500"],
  [{ limit: -1 }, "limit must be between 1 and 500"],
  [{ limit: 1.5 }, "limit must be between 1 and 500"],
  [{ cursor: "abc" }, "invalid cursor"],
  [{ cursor: "0" }, "invalid cursor"],
  [{ cursor: "-1" }, "invalid cursor"],
  [{ cursor: "99999999999999999999" }, "invalid cursor"],
  [{ cursor: "1'" }, "invalid cursor"],
  [{ limit: 0, cursor: "abc" }, "limit must be between 1 and 500"],
] as const) {
  test(`refuses ${JSON.stringify(query)}`, async () => refused(await list(query), 400, message));
}

for (const query of ["?limit=1e2", "?limit=ten"]) {
  test(`refuses ${query}`, async () => {
    refused(await send(query), 400, "limit must be between 1 and 500");
  });
}

test("treats an empty limit and cursor as absent", async () => {
  const { body } = await send("?limit=&cursor=");
  assert.equal((body as { data: unknown[] }).data.length, 2);
  assert.equal(successOf(await list({ limit: 500 })).data.length, 2);
});

test("requires a key that may read", async () => {
  refused(await send("", {}), 401, "invalid api key");
  refused(await send("?limit=0", {}), 401, "invalid api key");
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
  const answer = await api.send({ method: "POST", path: "/deposits/unmatched", headers: key, json: {} });
  refused(answer, 405, "method not allowed");
});

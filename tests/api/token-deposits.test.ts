/** Endpoint 2, GET /transaction/token-deposit. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import type { RequestQuery } from "#lib/client/client.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { apiKeys, merchants } from "#lib/domain/merchants/tables.ts";
import { allocateAddress } from "#lib/domain/wallets/allocate-address.ts";
import { startApi } from "#tests/support/api.ts";
import { aDeposit, evmHash } from "#tests/support/deposits.ts";
import { refused, says, successOf } from "#tests/support/says.ts";
import { anAddress } from "#tests/support/unmatched.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const LATER = new Date("2026-03-01T12:05:00.000Z");
const api = await startApi();
after(() => api.close());
const { db } = api.database;
const adapter = api.services.networks.find("test", "bep20")!;
const merchant = await api.merchant();
const otherMerchant = await api.merchant();
const key = { "x-staging-api-key": merchant.test };

type Query = RequestQuery<"/transaction/token-deposit">;
const list = (query: Query = {}, by = merchant.test) =>
  api.client(by).GET("/transaction/token-deposit", { params: { query } });
const send = (query: string, headers: Record<string, string> = key) =>
  api.send({ path: `/transaction/token-deposit${query}`, headers });
const EMPTY = {
  status: "success",
  message: "token deposits retrieved successfully",
  data: [] as unknown[],
  meta: { has_more: false, next_cursor: null as string | null },
};
interface Listed {
  readonly data: readonly { readonly ref: string }[];
  readonly meta: { readonly total?: number };
}
const refs = ({ data }: Listed) => data.map(({ ref }) => ref);

const own = await anAddress(db, adapter, merchant.id);
const { rows } = await db.execute<{ id: string }>(
  `insert into customers (merchant_id, env, email, first_name, last_name)
   values (${merchant.id}, 'test', 'ada@example.com', 'Ada', 'Obi') returning id`,
);
const customers = await db.transaction((tx) =>
  allocateAddress(tx, adapter, {
    merchantId: merchant.id,
    purpose: "customer",
    customerId: Number(rows[0]!.id),
  }),
);
let first: number;
let second: number;

test("the list is empty without deposits", async () => {
  says(await list(), 200, EMPTY);
  says(await list({ count: "1" }), 200, { ...EMPTY, meta: { ...EMPTY.meta, total: 0 } });
});

test("lists every deposit complete, newest first, with exact amounts", async () => {
  first = (
    await aDeposit(db, own.id, {
      txHash: evmHash(1),
      amount: 1_234_567_890_123_456_789n,
      createdAt: AT,
    })
  ).id;
  second = (
    await aDeposit(db, customers.id, {
      txHash: evmHash(2),
      amount: 10n ** 30n + 1n,
      createdAt: AT,
      updatedAt: LATER,
    })
  ).id;
  await aDeposit(db, own.id, { txHash: evmHash(3), amount: 1n, createdAt: AT, status: 0 });
  const common = {
    status: 1,
    email: merchant.email,
    network: "bep20",
    token: "usdt",
    sender: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    extra: null,
    output_pos: 4,
    created_at: AT.toISOString(),
    deleted_at: null,
  };
  const answer = await list();
  says(answer, 200, {
    ...EMPTY,
    data: [
      {
        ...common,
        ref: String(second),
        genesis: 0,
        value: "1000000000000.000000000000000001",
        address: adapter.displayAddress(customers.address),
        tx_hash: evmHash(2),
        customer: "ada@example.com",
        total_received: "1000000000000.000000000000000001",
        updated_at: LATER.toISOString(),
      },
      {
        ...common,
        ref: String(first),
        genesis: 1,
        value: "1.234567890123456789",
        address: adapter.displayAddress(own.address),
        tx_hash: evmHash(1),
        customer: null,
        total_received: "1.234567890123456789",
        updated_at: AT.toISOString(),
      },
    ],
  });
  const { text } = await send("");
  assert.ok(text.includes('"value":1.234567890123456789,'), text);
  assert.ok(text.includes('"total_received":1000000000000.000000000000000001,'), text);
  assert.deepEqual(Object.keys(successOf(answer).data[0]!), [
    ...["ref", "status", "genesis", "email", "value", "network", "token", "address", "sender", "extra"],
    ...["tx_hash", "output_pos", "customer", "total_received", "created_at", "updated_at", "deleted_at"],
  ]);
});

test("total_received is the sum of the token's credits at the address", async () => {
  const id = (await aDeposit(db, own.id, { txHash: evmHash(4), amount: 10n ** 18n })).id;
  const received = async () => successOf(await list()).data.map(({ total_received }) => total_received);
  assert.deepEqual(await received(), [
    "2.234567890123456789",
    "1000000000000.000000000000000001",
    "2.234567890123456789",
  ]);
  await db.update(deposits).set({ status: 2 }).where(eq(deposits.id, id));
  assert.deepEqual(await received(), ["1000000000000.000000000000000001", "1.234567890123456789"]);
});

test("lists credited deposits only unless include asks for more, and never an unmatched one", async () => {
  const address = await anAddress(db, adapter, otherMerchant.id);
  const made: Record<string, string> = {};
  for (const [name, changes] of Object.entries({
    seen: { status: 0 },
    credited: { status: 1 },
    dropped: { status: 2 },
    held: { status: 3, unmatchedReason: "no_purpose" },
    seenUnmatched: { status: 0, unmatchedReason: "no_purpose" },
    droppedUnmatched: { status: 2, unmatchedReason: "no_purpose" },
    resolved: { status: 1, unmatchedReason: "no_purpose" },
  } as const)) {
    const txHash = evmHash(100 + Object.keys(made).length);
    made[name] = String((await aDeposit(db, address.id, { txHash, ...changes })).id);
  }
  const named = (answer: Listed) => {
    assert.equal(answer.meta.total, answer.data.length);
    return refs(answer).map((ref) => Object.keys(made).find((name) => made[name] === ref));
  };
  const listed = async (query: Query) =>
    named(successOf(await list({ count: "1", ...query }, otherMerchant.test)));
  const sent = async (query: string) =>
    named((await send(`?count=1${query}`, { "x-staging-api-key": otherMerchant.test })).body as Listed);
  assert.deepEqual(await listed({}), ["resolved", "credited"]);
  assert.deepEqual(await sent("&include="), ["resolved", "credited"]);
  assert.deepEqual(await listed({ include: "pending" }), ["resolved", "credited", "seen"]);
  assert.deepEqual(await listed({ include: "dropped" }), ["resolved", "dropped", "credited"]);
  const all = ["resolved", "dropped", "credited", "seen"];
  assert.deepEqual(await listed({ include: "pending,dropped" }), all);
  assert.deepEqual(await sent("&include=dropped,pending,dropped"), all);
});

test("a page ends at its limit and has the cursor of the next page", async () => {
  const one = successOf(await list({ limit: 1, count: "1" }));
  assert.deepEqual(refs(one), [String(second)]);
  assert.deepEqual(one.meta, { has_more: true, next_cursor: String(second), total: 2 });
  const two = successOf(await list({ limit: 1, cursor: String(second) }));
  assert.deepEqual(refs(two), [String(first)]);
  assert.deepEqual(two.meta, { has_more: false, next_cursor: null });
});

test("lists a deposit on a network that is disabled now", async () => {
  const address = await anAddress(db, adapter, merchant.id);
  const { id } = await aDeposit(db, address.id, {
    txHash: "b".repeat(64),
    network: "bitcoin",
    token: "btc",
    amount: 12_345n,
    sender: null,
    position: 1,
    createdAt: AT,
  });
  const { data } = successOf(await list({ limit: 1 }));
  const { ref, network, value, sender, output_pos, tx_hash } = data[0]!;
  assert.deepEqual(
    { ref, network, value, sender, output_pos, tx_hash },
    {
      ref: String(id),
      network: "bitcoin",
      value: "0.00012345",
      sender: "",
      output_pos: 1,
      tx_hash: "b".repeat(64),
    },
  );
});

test("does not list deposits of another merchant or environment", async () => {
  says(await list({}, merchant.live), 200, EMPTY);
  assert.ok(!refs(successOf(await list({}, otherMerchant.test))).includes(String(first)));
});

for (const [query, message] of [
  [{ limit: 0 }, "limit must be between 1 and 500"],
  [{ limit: 501 }, "limit must be between 1 and 500"],
  [{ cursor: "abc" }, "invalid cursor"],
] as const) {
  test(`refuses ${JSON.stringify(query)}`, async () => refused(await list(query), 400, message));
}

for (const [query, message] of [
  ["?include=held", "include must be pending, dropped or both"],
  ["?include=pending,", "include must be pending, dropped or both"],
  ["?include=%00", "include must be pending, dropped or both"],
  ["?limit=0&include=held", "limit must be between 1 and 500"],
] as const) {
  test(`refuses ${query}`, async () => refused(await send(query), 400, message));
}

test("requires a key that may read", async () => {
  refused(await send("", {}), 401, "invalid api key");
  refused(await send("?limit=0", { "x-staging-api-key": "nonsense" }), 401, "invalid api key");
  const keys = db.update(apiKeys);
  await keys.set({ scope: "payment-links" }).where(eq(apiKeys.merchantId, merchant.id));
  refused(await list(), 403, "api key not allowed for this operation");
  await keys.set({ scope: "read" }).where(eq(apiKeys.merchantId, merchant.id));
  assert.equal((await list()).response.status, 200);
});

test("a disabled merchant is invalid, a removed one does not exist", async () => {
  const gone = await api.merchant();
  const become = (status: "disabled" | "removed") =>
    db.update(merchants).set({ status }).where(eq(merchants.id, gone.id));
  await become("disabled");
  refused(await list({}, gone.test), 403, "Invalid merchant");
  await become("removed");
  refused(await list({}, gone.test), 404, "Merchant does not exist");
});

test("refuses other methods", async () => {
  const answer = await api.send({
    method: "POST",
    path: "/transaction/token-deposit",
    headers: key,
    json: {},
  });
  refused(answer, 405, "method not allowed");
});

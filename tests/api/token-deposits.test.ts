/** The lists of deposits: endpoint 2, and those that are unmatched. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { allocateAddress } from "#lib/domain/wallets/allocate-address.ts";
import type { RequestQuery } from "#packages/client/src/client.ts";
import { startTestApi } from "#tests/support/api.ts";
import { aDeposit, evmHash as hashOf } from "#tests/support/deposits.ts";
import { LAST_PAGE, refused, succeeded, successOf } from "#tests/support/says.ts";
import { aForeignDeposit, anAddress, anUnmatchedDeposit } from "#tests/support/unmatched.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const LATER = new Date("2026-03-01T12:05:00.000Z");
const api = await startTestApi();
const { db } = api.database;
const adapter = api.services.networks.find("test", "bep20")!;
const merchant = await api.merchant();
const otherMerchant = await api.merchant();

type Query = RequestQuery<"/transaction/token-deposit">;
const list = (query: Query = {}, by = merchant.test) =>
  api.client(by).GET("/transaction/token-deposit", { params: { query } });
const send = (query: string, key = merchant.test) =>
  api.send({ path: `/transaction/token-deposit${query}`, key });
const lists = (answer: Awaited<ReturnType<typeof list>>, data: unknown[]) =>
  succeeded(answer, "token deposits retrieved successfully", data, LAST_PAGE);
interface Listed {
  readonly data: readonly { readonly ref: string }[];
  readonly meta: { readonly total?: number };
}
const refs = ({ data }: Listed) => data.map(({ ref }) => ref);

/** Unmatched deposits have low numbers. */
const evmHash = (n: number) => hashOf(0xde0000 + n);

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

test("lists every deposit complete, newest first, with exact amounts", async () => {
  const one = { txHash: evmHash(1), amount: 1_234_567_890_123_456_789n, createdAt: AT };
  first = (await aDeposit(db, own.id, one)).id;
  const two = { txHash: evmHash(2), amount: 10n ** 30n + 1n, createdAt: AT, updatedAt: LATER };
  second = (await aDeposit(db, customers.id, two)).id;
  await aDeposit(db, own.id, { txHash: evmHash(3), amount: 1n, createdAt: AT, status: "seen" });
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
  lists(answer, [
    {
      ...common,
      ref: String(second),
      genesis: 0,
      value: "1000000000000.000000000000000001",
      address: adapter.addresses.display(customers.address),
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
      address: adapter.addresses.display(own.address),
      tx_hash: evmHash(1),
      customer: null,
      total_received: "1.234567890123456789",
      updated_at: AT.toISOString(),
    },
  ]);
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
  await db.update(deposits).set({ status: "dropped" }).where(eq(deposits.id, id));
  assert.deepEqual(await received(), ["1000000000000.000000000000000001", "1.234567890123456789"]);
});

test("lists every unmatched deposit complete, newest first, with exact amounts", async () => {
  const { id: addressId, address } = await anAddress(db, adapter, otherMerchant.id);
  const held = await anUnmatchedDeposit(db, { addressId, at: AT }, 1_234_567_890_123_456_789n);
  const unknown = await aForeignDeposit(db, { addressId, at: AT });
  const common = {
    status: 3,
    genesis: 1,
    email: otherMerchant.email,
    network: "bep20",
    address_network: "bep20",
    address: adapter.addresses.display(address),
    sender: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    customer: null,
    created_at: AT.toISOString(),
    updated_at: AT.toISOString(),
  };
  const paylink = api.client(otherMerchant.test);
  const message = "unmatched deposits retrieved successfully";
  succeeded(
    await paylink.GET("/deposits/unmatched"),
    message,
    [
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
    LAST_PAGE,
  );
  const { text } = await api.send({ path: "/deposits/unmatched", key: otherMerchant.test });
  assert.ok(text.includes('"value":1.234567890123456789,'), text);
  assert.ok(text.includes(`"raw_value":${2n ** 255n},`), text);
});

test("lists credited deposits only unless include asks for more, and never an unmatched one", async () => {
  const address = await anAddress(db, adapter, otherMerchant.id);
  const made: Record<string, string> = {};
  for (const [name, changes] of Object.entries({
    seen: { status: "seen" },
    credited: { status: "credited" },
    dropped: { status: "dropped" },
    held: { status: "held", unmatchedReason: "no_purpose" },
    seenUnmatched: { status: "seen", unmatchedReason: "no_purpose" },
    droppedUnmatched: { status: "dropped", unmatchedReason: "no_purpose" },
    resolved: { status: "credited", unmatchedReason: "no_purpose" },
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
    named((await send(`?count=1${query}`, otherMerchant.test)).body as Listed);
  assert.deepEqual(await listed({}), ["resolved", "credited"]);
  assert.deepEqual(await sent("&include="), ["resolved", "credited"]);
  assert.deepEqual(await listed({ include: "pending" }), ["resolved", "credited", "seen"]);
  assert.deepEqual(await listed({ include: "dropped" }), ["resolved", "dropped", "credited"]);
  const all = ["resolved", "dropped", "credited", "seen"];
  assert.deepEqual(await listed({ include: "pending,dropped" }), all);
  assert.deepEqual(await sent("&include=dropped,pending,dropped"), all);
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
  assert.partialDeepStrictEqual(data[0], {
    ...{ ref: String(id), network: "bitcoin", value: "0.00012345" },
    ...{ sender: "", output_pos: 1, tx_hash: "b".repeat(64) },
  });
});

for (const [query, message] of [
  ["?include=held", "include must be pending, dropped or both"],
  ["?include=pending,", "include must be pending, dropped or both"],
  ["?include=%00", "include must be pending, dropped or both"],
] as const) {
  test(`refuses ${query}`, async () => refused(await send(query), 400, message));
}

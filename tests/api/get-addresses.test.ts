import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import { addresses, deposits } from "#lib/db/schema.ts";
import { startApi, type TestAnswer } from "#tests/support/api.ts";
import { aPaymentLink } from "#tests/support/payment-link.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startApi();
after(() => api.close());
const { db } = api.database;
const merchant = await api.merchant();
const stranger = await api.merchant();
const key = { "x-staging-api-key": merchant.test };
const EMPTY = {
  status: "success",
  message: "addresses retrieved successfully",
  data: [],
  meta: { has_more: false, next_cursor: null },
};

const list = (query = "", headers: Record<string, string> = key, network = "bep20") =>
  api.send({ path: `/wallets/get-addresses${query}`, form: { network }, headers });
const says = (answer: TestAnswer, status: number, body: unknown) =>
  assert.deepEqual({ status: answer.status, body: answer.body }, { status, body });
const shownIn = (answer: TestAnswer) =>
  (answer.body as { data: { address: string }[] }).data.map(({ address }) => address);
async function generate(path: string, json: object): Promise<string> {
  const answer = await api.send({ path, json: { network: "bep20", ...json }, headers: key });
  return (answer.body as { data: { address: string } }).data.address;
}
const byAddress = (shown: string) => eq(addresses.address, shown.toLowerCase());
let hashes = 0;
async function pay(shown: string, amount: bigint, status: 0 | 1 | 2 | 3, token: "usdt" | "bnb" = "usdt") {
  const [row] = await db.select().from(addresses).where(byAddress(shown));
  hashes += 1;
  await db.insert(deposits).values({
    ...{ env: "test", network: "bep20", token, merchantId: merchant.id, addressId: row!.id, amount, status },
    txHash: `0x${String(hashes).padStart(64, "0")}`,
    position: 0,
    requiredConfirmations: 1,
    firstSeenAt: AT,
    ...(status === 3 ? { unmatchedReason: "no_purpose" } : {}),
  });
}

test("with no address the list is empty, on every network there is", async () => {
  says(await list(), 200, EMPTY);
  for (const network of ["bitcoin", "solana", "dogecoin"]) says(await list("", key, network), 200, EMPTY);
  says(await list("?count=1", key, "solana"), 200, { ...EMPTY, meta: { ...EMPTY.meta, total: 0 } });
});

let own = "";
let customers = "";
let links = "";

test("each is listed whole, newest first: whose it is, and what was credited to it, exactly", async () => {
  own = await generate("/wallets/generate-merchant-wallet", {});
  const customer = { email: "ada@example.com", first_name: "Ada", last_name: "Obi" };
  customers = await generate("/wallets/generate-wallet", { customer });
  const form = aPaymentLink({ wallets: '[{"network":"bep20","token":"USDT"}]' });
  const link = await api.send({ path: "/payment-links", form, headers: key });
  links = (link.body as { data: { wallets: { address: string }[] } }).data.wallets[0]!.address;
  await pay(own, 1_234_567_890_123_456_789n, 1);
  await pay(own, 10n ** 18n, 1);
  for (const status of [0, 2, 3] as const) await pay(customers, 5n * 10n ** 18n, status);
  await pay(customers, 7n * 10n ** 18n, 1, "bnb");
  await db.update(addresses).set({ createdAt: AT });

  const common = { network: "bep20", created_at: AT.toISOString(), updated_at: AT.toISOString() };
  const answer = await list();
  const data = [
    { address: links, total_received: 0, genesis: 0, customer: "ada@example.com", ...common },
    { address: customers, total_received: 0, genesis: 0, customer: "ada@example.com", ...common },
    {
      address: own,
      total_received: Number("2.234567890123456789"),
      genesis: 1,
      customer: null,
      ...common,
    },
  ];
  says(answer, 200, { ...EMPTY, data });
  assert.ok(answer.text.includes('"total_received":2.234567890123456789,'), answer.text);
  assert.deepEqual(Object.keys((answer.body as { data: object[] }).data[0]!), [
    ...["address", "network", "total_received", "genesis", "customer", "created_at", "updated_at"],
  ]);
});

test("a credit that is taken back is taken off", async () => {
  await db
    .update(deposits)
    .set({ status: 2 })
    .where(eq(deposits.amount, 10n ** 18n));
  const answer = await list();
  assert.ok(answer.text.includes('"total_received":1.234567890123456789,'), answer.text);
});

test("a page ends at its limit and says where the next one begins", async () => {
  const first = await list("?limit=2&count=1");
  assert.deepEqual(shownIn(first), [links, customers]);
  const { meta } = first.body as { meta: { next_cursor: string } };
  assert.deepEqual(meta, { has_more: true, next_cursor: meta.next_cursor, total: 3 });
  const second = await list(`?limit=2&cursor=${meta.next_cursor}`);
  assert.deepEqual(shownIn(second), [own]);
  assert.deepEqual((second.body as { meta: unknown }).meta, EMPTY.meta);
});

test("what is another merchant's, or the other environment's, is not there", async () => {
  says(await list("", { "x-staging-api-key": stranger.test }), 200, EMPTY);
  says(await list("", { "x-api-key": merchant.live }), 200, EMPTY);
});

test("what it cannot read it refuses", async () => {
  const fails = (answer: TestAnswer, message: string) => says(answer, 400, { status: "fail", message });
  const path = "/wallets/get-addresses";
  fails(await api.send({ path, form: {}, headers: key }), "(network) not found in request body");
  fails(await api.send({ path, json: { network: 7 }, headers: key }), "(network) must be a string");
  fails(await list("", key, "ethereum"), "unsupported network");
  fails(await list("?limit=501"), "limit must be between 1 and 500");
  fails(await list("?cursor=x"), "invalid cursor");
  says(await list("", {}), 401, { status: "fail", message: "invalid api key" });
});

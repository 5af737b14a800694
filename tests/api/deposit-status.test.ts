/** Endpoint 4, GET /transaction/status/:tx_hash. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import type { RequestQuery } from "#lib/client/client.ts";
import { apiKeys } from "#lib/domain/merchants/tables.ts";
import { startApi } from "#tests/support/api.ts";
import { aDeposit, evmHash } from "#tests/support/deposits.ts";
import { refused, says } from "#tests/support/says.ts";
import { anAddress } from "#tests/support/unmatched.ts";

const api = await startApi();
after(() => api.close());
const { db } = api.database;
const adapter = api.services.networks.find("test", "bep20")!;
const merchant = await api.merchant();
const otherMerchant = await api.merchant();
const key = { "x-staging-api-key": merchant.test };
const own = await anAddress(db, adapter, merchant.id);
const HASH = `0x${"ab".repeat(32)}`;
await aDeposit(db, own.id, { txHash: HASH, amount: 1_234_567_890_123_456_789n });

type Query = RequestQuery<"/transaction/status/{tx_hash}">;
const get = (tx_hash: string, query: Query = {}, by = merchant.test) =>
  api.client(by).GET("/transaction/status/{tx_hash}", { params: { path: { tx_hash }, query } });
const send = (path: string, headers: Record<string, string> = key) =>
  api.send({ path: `/transaction/status/${path}`, headers });
const unknown = (answer: Parameters<typeof refused>[0]) => refused(answer, 404, "tx_hash details not found");
const view = (status: number, value: string | number) => ({
  status,
  email: merchant.email,
  value,
  network: "bep20",
});
const found = (data: unknown) => ({
  status: "success",
  message: "deposit status retrieved successfully",
  data,
});

test("finds the status of a deposit by its hash, with the exact amount", async () => {
  const upper = HASH.toUpperCase().replace("0X", "0x");
  says(await get(upper), 200, found(view(1, "1.234567890123456789")));
  const { text } = await send(upper);
  assert.ok(text.includes('"value":1.234567890123456789,'), text);
});

test("returns the output at the lowest position first and the rest in others; output_pos selects one", async () => {
  const txHash = evmHash(7);
  for (const position of [9, 2, 5]) {
    await aDeposit(db, own.id, { txHash, position, amount: BigInt(position) * 10n ** 18n });
  }
  says(await get(txHash), 200, found({ ...view(1, "2"), others: [view(1, "5"), view(1, "9")] }));
  says(await get(txHash, { output_pos: 9 }), 200, found(view(1, "9")));
  unknown(await get(txHash, { output_pos: 3 }));
});

test("returns pending and dropped deposits if include asks for them", async () => {
  await aDeposit(db, own.id, { txHash: evmHash(21), status: 0 });
  await aDeposit(db, own.id, { txHash: evmHash(22), status: 2 });
  await aDeposit(db, own.id, { txHash: evmHash(23), status: 3, unmatchedReason: "other_token" });
  unknown(await get(evmHash(21)));
  unknown(await get(evmHash(22)));
  says(await get(evmHash(21), { include: "pending" }), 200, found(view(0, "1")));
  says(await get(evmHash(22), { include: "dropped" }), 200, found(view(2, "1")));
  unknown(await get(evmHash(23), { include: "pending,dropped" }));
});

test("does not find deposits of another merchant or environment, or unassigned ones", async () => {
  unknown(await get(HASH, {}, otherMerchant.test));
  unknown(await get(HASH, {}, merchant.live));
  for (const text of ["nonsense", evmHash(404), "\0"]) unknown(await get(text));
  unknown(await send("%ED%A0%80"));
});

for (const [query, message] of [
  ["?network=polygon", "network not supported"],
  ["?output_pos=first", "(output_pos) must be a number"],
  ["?include=all", "include must be pending, dropped or both"],
] as const) {
  test(`refuses ${query}`, async () => refused(await send(HASH + query), 400, message));
}

test("reports a missing hash", async () => {
  refused(await get(""), 400, "tx_hash not found in params");
});

test("requires a key that may read", async () => {
  refused(await send(HASH, {}), 401, "invalid api key");
  const keys = db.update(apiKeys);
  await keys.set({ scope: "payment-links" }).where(eq(apiKeys.merchantId, merchant.id));
  refused(await get(HASH), 403, "api key not allowed for this operation");
  await keys.set({ scope: "read" }).where(eq(apiKeys.merchantId, merchant.id));
  assert.equal((await get(HASH)).response.status, 200);
});

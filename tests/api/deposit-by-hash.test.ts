/** Endpoint 3, GET /transaction/deposit/:tx_hash. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import type { RequestQuery } from "#lib/client/client.ts";
import { apiKeys } from "#lib/domain/merchants/tables.ts";
import { startApi } from "#tests/support/api.ts";
import { aDeposit, evmHash } from "#tests/support/deposits.ts";
import { refused, says, successOf } from "#tests/support/says.ts";
import { anAddress } from "#tests/support/unmatched.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startApi();
after(() => api.close());
const { db } = api.database;
const adapter = api.services.networks.find("test", "bep20")!;
const merchant = await api.merchant();
const otherMerchant = await api.merchant();
const key = { "x-staging-api-key": merchant.test };
const own = await anAddress(db, adapter, merchant.id);
const HASH = `0x${"ab".repeat(32)}`;
const single = await aDeposit(db, own.id, { txHash: HASH, amount: 25n * 10n ** 17n, createdAt: AT });

type Query = RequestQuery<"/transaction/deposit/{tx_hash}">;
const get = (tx_hash: string, query: Query = {}, by = merchant.test) =>
  api.client(by).GET("/transaction/deposit/{tx_hash}", { params: { path: { tx_hash }, query } });
const send = (path: string, headers: Record<string, string> = key) =>
  api.send({ path: `/transaction/deposit/${path}`, headers });
const unknown = (answer: Parameters<typeof refused>[0]) => refused(answer, 404, "tx_hash details not found");

const record = (id: number, changes: Record<string, unknown> = {}) => ({
  ref: String(id),
  status: 1,
  genesis: 1,
  email: merchant.email,
  value: "2.5",
  network: "bep20",
  token: "usdt",
  address: adapter.displayAddress(own.address),
  sender: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  extra: null,
  tx_hash: HASH,
  output_pos: 4,
  customer: null,
  total_received: "2.5",
  created_at: AT.toISOString(),
  updated_at: AT.toISOString(),
  deleted_at: null,
  ...changes,
});
const found = (data: unknown) => ({
  status: "success",
  message: "deposit retrieved successfully",
  data,
});

test("finds a deposit by its hash in any spelling", async () => {
  const digits = "ab".repeat(32);
  for (const text of [HASH, `0x${digits.toUpperCase()}`, digits, digits.toUpperCase()]) {
    says(await get(text), 200, found(record(single.id)));
    says(await get(text, { network: "bep20", output_pos: 4 }), 200, found(record(single.id)));
  }
  const { text } = await send(HASH);
  assert.match(text, /"value":2\.5,.*"total_received":2\.5,/);
});

test("finds TRON hashes with 0x although they are stored without, and bitcoin hashes in upper case", async () => {
  const tron = "cd".repeat(32);
  const { id } = await aDeposit(db, own.id, { txHash: tron, network: "trc20" });
  const bitcoin = "ef".repeat(32);
  const other = await aDeposit(db, own.id, { txHash: bitcoin, network: "bitcoin", token: "btc", amount: 5n });
  for (const [text, query, ref] of [
    [tron, {}, id],
    [`0x${tron}`, {}, id],
    [`0x${tron}`, { network: "trc20" }, id],
    [bitcoin.toUpperCase(), {}, other.id],
    [bitcoin.toUpperCase(), { network: "bitcoin" }, other.id],
  ] as const) {
    assert.equal(successOf(await get(text, query)).data.ref, String(ref), text);
  }
  unknown(await get(tron, { network: "bep20" }));
  unknown(await get(`0x${bitcoin}?network=bitcoin`));
});

test("returns the output at the lowest position first and the rest in others; output_pos selects one", async () => {
  const txHash = evmHash(7);
  const ids: number[] = [];
  for (const position of [9, 2, 5]) {
    ids.push((await aDeposit(db, own.id, { txHash, position, amount: 1n, createdAt: AT })).id);
  }
  const [nine, two, five] = ids as [number, number, number];
  const answer = await get(txHash);
  const { total_received } = successOf(answer).data;
  const one = (id: number, output_pos: number) =>
    record(id, { value: "0.000000000000000001", tx_hash: txHash, output_pos, total_received });
  says(answer, 200, found({ ...one(two, 2), others: [one(five, 5), one(nine, 9)] }));
  says(await get(txHash, { output_pos: 9 }), 200, found(one(nine, 9)));
  unknown(await get(txHash, { output_pos: 3 }));
  unknown(await get(txHash, { network: "trc20" }));
});

test("returns the first 501 outputs of a transaction with a thousand", async () => {
  const txHash = evmHash(8);
  await db.execute(`insert into deposits (env, network, token, merchant_id, address_id, tx_hash, position, amount, status,
      required_confirmations, first_seen_at)
    select 'test', 'bep20', 'usdt', ${merchant.id}, ${own.id}, '${txHash}', n, 1, 1, 1, now()
    from generate_series(0, 999) n`);
  const { output_pos, others = [] } = successOf(await get(txHash)).data;
  assert.deepEqual(
    [output_pos, others.length, others[0]?.output_pos, others.at(-1)?.output_pos],
    [0, 500, 1, 500],
  );
});

test("finds credited deposits only unless include asks for more, and never a held one", async () => {
  const pending = await aDeposit(db, own.id, { txHash: evmHash(21), status: 0 });
  const dropped = await aDeposit(db, own.id, { txHash: evmHash(22), status: 2, position: -22 });
  const held = await aDeposit(db, own.id, {
    txHash: evmHash(23),
    status: 3,
    unmatchedReason: "other_token",
  });
  for (const { txHash } of [pending, dropped, held]) unknown(await get(txHash));
  const shown = async (hash: string, query: Query) => {
    const { ref, status, output_pos } = successOf(await get(hash, query)).data;
    return [ref, status, output_pos];
  };
  assert.deepEqual(await shown(pending.txHash, { include: "pending" }), [String(pending.id), 0, 4]);
  assert.deepEqual(await shown(dropped.txHash, { include: "pending,dropped" }), [
    String(dropped.id),
    2,
    null,
  ]);
  unknown(await get(pending.txHash, { include: "dropped" }));
  unknown(await get(held.txHash, { include: "pending,dropped" }));
});

test("does not find deposits of another merchant or environment, or unassigned ones", async () => {
  unknown(await get(HASH, {}, otherMerchant.test));
  unknown(await get(HASH, {}, merchant.live));
  for (const text of ["nonsense", "0x", evmHash(404), "\0", "a/b", "x".repeat(9_000)]) {
    unknown(await get(text));
  }
  for (const text of ["%F0%9F", "%ED%A0%80"]) unknown(await send(text));
  unknown(await get(HASH, { network: "dogecoin" }));
  for (const position of [2147483647, 2147483648, 1e15]) unknown(await get(HASH, { output_pos: position }));
});

for (const [query, message] of [
  ["?network=polygon", "network not supported"],
  ["?network=BEP20", "network not supported"],
  ["?output_pos=first", "(output_pos) must be a number"],
  ["?output_pos=-1", "(output_pos) must be a number"],
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

test("refuses other methods", async () => {
  const answer = await api.send({
    method: "POST",
    path: `/transaction/deposit/${HASH}`,
    headers: key,
    json: {},
  });
  refused(answer, 405, "method not allowed");
});

/** Endpoints 3 and 4: a deposit, and its status, by the hash of its transaction. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestQuery } from "#packages/client/src/client.ts";
import { startTestApi } from "#tests/support/api.ts";
import { aDeposit, evmHash } from "#tests/support/deposits.ts";
import { refused, succeeded, successOf } from "#tests/support/says.ts";
import { anAddress } from "#tests/support/unmatched.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startTestApi();
const { db } = api.database;
const adapter = api.services.networks.find("test", "bep20")!;
const merchant = await api.merchant();
const otherMerchant = await api.merchant();
const own = await anAddress(db, adapter, merchant.id);
const HASH = `0x${"ab".repeat(32)}`;
const single = await aDeposit(db, own.id, {
  txHash: HASH,
  amount: 1_234_567_890_123_456_789n,
  createdAt: AT,
});

type Query = RequestQuery<"/transaction/deposit/{tx_hash}">;
const get = (tx_hash: string, query: Query = {}, by = merchant.test) =>
  api.client(by).GET("/transaction/deposit/{tx_hash}", { params: { path: { tx_hash }, query } });
const getStatus = (tx_hash: string, query: Query = {}, by = merchant.test) =>
  api.client(by).GET("/transaction/status/{tx_hash}", { params: { path: { tx_hash }, query } });
/** Sends a path that the client would encode, or a query that its types refuse, to both endpoints. */
const sendBoth = (path: string) =>
  Promise.all(
    ["deposit", "status"].map((kind) =>
      api.send({ path: `/transaction/${kind}/${path}`, key: merchant.test }),
    ),
  );

const record = (id: number, changes: Record<string, unknown> = {}) => ({
  ref: String(id),
  status: 1,
  genesis: 1,
  email: merchant.email,
  value: "1.234567890123456789",
  network: "bep20",
  token: "usdt",
  address: adapter.addresses.display(own.address),
  sender: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  extra: null,
  tx_hash: HASH,
  output_pos: 4,
  customer: null,
  total_received: "1.234567890123456789",
  created_at: AT.toISOString(),
  updated_at: AT.toISOString(),
  deleted_at: null,
  ...changes,
});
interface Found extends ReturnType<typeof record> {
  readonly others?: readonly Found[];
}
const statusOf = ({ status, email, value, network, others }: Found): object => ({
  ...{ status, email, value, network },
  ...(others && { others: others.map(statusOf) }),
});
/** Asserts that both endpoints find the deposit. */
async function finds(hash: string, query: Query, expected: Found): Promise<void> {
  succeeded(await get(hash, query), "deposit retrieved successfully", expected);
  succeeded(await getStatus(hash, query), "deposit status retrieved successfully", statusOf(expected));
}
async function findsNothing(hash: string, query: Query = {}, by = merchant.test): Promise<void> {
  for (const ask of [get, getStatus]) refused(await ask(hash, query, by), 404, "tx_hash details not found");
}

test("finds a deposit by its hash in any spelling, with the exact amount", async () => {
  const digits = "ab".repeat(32);
  for (const text of [HASH, `0x${digits.toUpperCase()}`, digits, digits.toUpperCase()]) {
    await finds(text, {}, record(single.id));
    await finds(text, { network: "bep20", output_pos: 4 }, record(single.id));
  }
  const [deposit, status] = await sendBoth(HASH);
  assert.match(deposit!.text, /"value":1\.234567890123456789,.*"total_received":1\.234567890123456789,/);
  assert.match(status!.text, /"value":1\.234567890123456789,/);
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
  await findsNothing(tron, { network: "bep20" });
  await findsNothing(`0x${bitcoin}?network=bitcoin`);
});

test("returns the output at the lowest position first and the rest in others; output_pos selects one", async () => {
  const tx_hash = evmHash(7);
  const ids: number[] = [];
  for (const position of [9, 2, 5]) {
    ids.push(
      (await aDeposit(db, own.id, { txHash: tx_hash, position, amount: BigInt(position), createdAt: AT })).id,
    );
  }
  const [nine, two, five] = ids as [number, number, number];
  const { total_received } = successOf(await get(tx_hash)).data;
  const one = (id: number, output_pos: number) =>
    record(id, { value: `0.00000000000000000${output_pos}`, tx_hash, output_pos, total_received });
  await finds(tx_hash, {}, { ...one(two, 2), others: [one(five, 5), one(nine, 9)] });
  await finds(tx_hash, { output_pos: 9 }, one(nine, 9));
  await findsNothing(tx_hash, { output_pos: 3 });
  await findsNothing(tx_hash, { network: "trc20" });
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
  const payer = await api.merchant();
  const address = await anAddress(db, adapter, payer.id);
  const pending = await aDeposit(db, address.id, { txHash: evmHash(21), status: "seen" });
  const dropped = await aDeposit(db, address.id, { txHash: evmHash(22), status: "dropped", position: -22 });
  const held = await aDeposit(db, address.id, {
    txHash: evmHash(23),
    status: "held",
    unmatchedReason: "other_token",
  });
  for (const { txHash } of [pending, dropped, held]) await findsNothing(txHash, {}, payer.test);
  for (const [deposit, include, output_pos, status] of [
    [pending, "pending", 4, 0],
    [dropped, "dropped", null, 2],
    [dropped, "pending,dropped", null, 2],
  ] as const) {
    const found = successOf(await get(deposit.txHash, { include }, payer.test)).data;
    assert.deepEqual([found.ref, found.status, found.output_pos], [String(deposit.id), status, output_pos]);
    const view = { status, email: payer.email, value: "1", network: "bep20" };
    const answer = await getStatus(deposit.txHash, { include }, payer.test);
    succeeded(answer, "deposit status retrieved successfully", view);
  }
  await findsNothing(pending.txHash, { include: "dropped" }, payer.test);
  await findsNothing(held.txHash, { include: "pending,dropped" }, payer.test);
});

test("does not find deposits of another merchant or environment, or unassigned ones", async () => {
  await findsNothing(HASH, {}, otherMerchant.test);
  await findsNothing(HASH, {}, merchant.live);
  for (const text of ["nonsense", "0x", evmHash(404), "\0", "a/b", "x".repeat(9_000)])
    await findsNothing(text);
  for (const text of ["%F0%9F", "%ED%A0%80"])
    for (const answer of await sendBoth(text)) refused(answer, 404, "tx_hash details not found");
  await findsNothing(HASH, { network: "dogecoin" });
  for (const position of [2147483647, 2147483648, 1e15]) await findsNothing(HASH, { output_pos: position });
});

for (const [query, message] of [
  ["?network=polygon", "network not supported"],
  ["?network=BEP20", "network not supported"],
  ["?output_pos=first", "(output_pos) must be a number"],
  ["?output_pos=-1", "(output_pos) must be a number"],
  ["?include=all", "include must be pending, dropped or both"],
] as const) {
  test(`refuses ${query}`, async () => {
    for (const answer of await sendBoth(HASH + query)) refused(answer, 400, message);
  });
}

/** The sandbox endpoint on a development chain without a watcher: its responses and every failure. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { pino } from "pino";
import { openNetworks } from "#lib/chains/registry.ts";
import { viewForPayer } from "#lib/domain/payment-links/settle/view-for-payer.ts";
import { openSandbox } from "#lib/domain/sandbox/open-sandbox.ts";
import type { Sandbox } from "#lib/domain/sandbox/types.ts";
import type { RequestBody } from "#packages/client/src/client.ts";
import { height, rpc, startTestChain, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { startTestApi } from "#tests/support/api.ts";
import { BITCOIN_ACCOUNT_KEY } from "#tests/support/bitcoin-adapter.ts";
import { type FakeNode, startTestFakeNode } from "#tests/support/fake-node.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { refused, says, succeeded, successOf } from "#tests/support/says.ts";
import { TRON_ACCOUNT_KEY } from "#tests/support/tron.ts";
import { ACCOUNT_KEY } from "#tests/support/watched-chain.ts";

const log = pino({ level: "silent" });
const anvil = await startTestChain("bep20");
const bep20Node = await startTestFakeNode(anvil.url);
// These nodes are only queried for their kind.
const bitcoinNode = await startTestFakeNode(anvil.url);
const trc20Node = await startTestFakeNode(anvil.url);

const on = (node: FakeNode) =>
  ({ env: "test", zmqUrl: null, chainId: null, contracts: {}, rpcUrls: [node.url] }) as const;
const contracts = { usdt: USDT_ADDRESS };
const configs = [
  { ...on(bep20Node), network: "bep20", accountKey: ACCOUNT_KEY, contracts },
  { ...on(bitcoinNode), network: "bitcoin", accountKey: BITCOIN_ACCOUNT_KEY, chain: "regtest" },
  { ...on(trc20Node), network: "trc20", accountKey: TRON_ACCOUNT_KEY },
] as const;
const networks = openNetworks(configs, { log });

let sandbox: Sandbox;
const api = await startTestApi({
  networks,
  sandbox: { play: (request) => sandbox.play(request), panel: (...given) => sandbox.panel(...given) },
});
const { rates, settings } = api.services;
const links = { db: api.database.db, networks, rates, settings };
let aheadMs = 0;
const now = () => new Date(Date.now() + aheadMs);
sandbox = openSandbox({ links, configs, log, patienceMs: 0, now });
const off = await startTestApi({ sandbox: null });
after(() => anvil.kill());

const merchant = await api.merchant();

type Body = RequestBody<"/sandbox/payments">;

/** A link of 10 USDT without a chosen network. */
async function link(changes: Partial<RequestBody<"/payment-links">> = {}, at = api, by = merchant) {
  const body = { ...PAYMENT_LINK, amount: "15000", ...changes };
  return successOf(await at.client(by.test).POST("/payment-links", { body })).data.refid;
}
const read = async (refid: string) =>
  successOf(await api.client(merchant.test).GET("/payment-links/{refid}", { params: { path: { refid } } }))
    .data;

/** Sends with the test key of the merchant by default. */
const play = (body: Body, { key = merchant.test, once = "", at = api } = {}) =>
  at.client(key).POST("/sandbox/payments", {
    ...(once && { params: { header: { "idempotency-key": once } } }),
    body,
  });

test("pays the exact amount and returns what it did", async () => {
  const refid = await link();
  const before = await height(anvil.url);
  const response = await play({ refid, scenario: "exact", network: "bep20", token: "usdt" });
  const tx_hash = successOf(response).data.transactions[0]?.tx_hash ?? "";
  const address = (await read(refid)).wallets[0]?.address ?? "";
  succeeded(response, "sandbox payment made successfully", {
    ...{ refid, scenario: "exact", network: "bep20", token: "usdt", address, amount: "10" },
    tx_hashes: [tx_hash],
    transactions: [{ tx_hash, fate: "mined", contract: null }],
    expected: { state: "completed", event: "payment_link_completed" },
  });
  const receipt = (await rpc(anvil.url, "eth_getTransactionReceipt", [tx_hash])) as { status: string };
  assert.equal(receipt.status, "0x1");
  const finalized = (await rpc(anvil.url, "eth_getBlockByNumber", ["finalized", false])) as {
    number: string;
  };
  assert.ok(Number(finalized.number) > before, "its block is final");
});

test("pays a given amount instead and returns no expected state", async () => {
  const refid = await link();
  const { data } = successOf(await play({ refid, scenario: "exact", network: "bep20", amount: "2.5" }));
  assert.deepEqual([data.amount, data.expected, data.tx_hashes.length], ["2.5", null, 1]);
  for (const [amount, status, message] of [
    ["0", 400, "amount must be greater than 0"],
    ["1.0000000000000000001", 400, "amount has too many decimals"],
    ["1e13", 400, "amount is too large"],
  ] as const) {
    refused(await play({ refid, scenario: "exact", network: "bep20", amount }), status, message);
  }
});

test("confirm=0 leaves the payment unmined, the chosen network is the default, and an idempotency key pays once", async () => {
  const refid = await link({ wallets: [{ network: "bep20", token: "USDT" }] });
  const before = await height(anvil.url);
  const over = () => play({ refid, scenario: "over", confirm: 0 }, { once: "once" });
  const first = successOf(await over());
  const { amount, transactions } = first.data;
  assert.deepEqual([amount, transactions.map(({ fate }) => fate)], ["15", ["waiting"]]);
  says(await over(), 200, first);
  assert.equal(await height(anvil.url), before);
  const { pending } = (await rpc(anvil.url, "txpool_status")) as { pending: string };
  assert.equal(Number(pending), 1);
});

test("fifty pages with the panel ask the network's node once", async () => {
  const refid = await link({ wallets: [{ network: "bep20", token: "USDT" }] });
  const view = await viewForPayer(links, refid, now());
  // However slow the machine is, the pages have the patience for the answer.
  const sleep = (_: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
  const own = openSandbox({ links, configs, log, sleep });
  const countAsked = () => bep20Node.calls.filter(({ method }) => method === "anvil_nodeInfo").length;
  const before = countAsked();
  const panels = await Promise.all(Array.from({ length: 50 }, () => own.panel(view!, null)));
  assert.deepEqual(new Set(panels.map((panel) => panel?.network)), new Set(["bep20"]));
  assert.equal(countAsked() - before, 1);
});

test("is not found unless the operator has enabled it", async () => {
  const by = await off.merchant();
  const refid = await link({}, off, by);
  const response = await play({ refid, scenario: "exact", network: "bep20" }, { key: by.test, at: off });
  refused(response, 404, "not found");
});

test("refuses a live key, and does not find unknown links or links of another merchant", async () => {
  const refid = await link();
  const exact = { scenario: "exact", network: "bep20" } as const;
  refused(await play({ refid, ...exact }, { key: merchant.live }), 403, "the sandbox takes test keys only");
  const others = await link({}, api, await api.merchant());
  for (const unknown of [others, "1111111111111111111111", "x"]) {
    refused(await play({ refid: unknown, ...exact }), 404, "refid details not found");
  }
});

test("refuses malformed fields", async () => {
  const refid = await link();
  const good = { refid, scenario: "exact", network: "bep20" };
  const scenarios =
    "scenario must be exact, short, over, underpaid, late, extra, wrong_token, replaced or reorganised";
  for (const [changes, status, message] of [
    [{ refid: "" }, 400, "(refid) not found in request body"],
    [{ scenario: "" }, 400, "(scenario) not found in request body"],
    [{ scenario: "EXACT" }, 400, scenarios],
    [{ network: "polygon" }, 400, "unsupported network"],
    [{ token: "xyz" }, 400, "invalid token symbol"],
    [{ confirm: "yes" }, 400, "(confirm) must be 0 or 1"],
    [{ network: "" }, 422, "payment link has no network yet: name one"],
    [{ token: "eth" }, 422, "payment link cannot be paid with this network and token"],
    [{ network: "solana" }, 422, "payment link cannot be paid with this network and token"],
  ] as const) {
    const form = { ...good, ...changes };
    refused(await api.send({ path: "/sandbox/payments", form, key: merchant.test }), status, message);
  }
});

test("never pays on a network whose node is not a development chain", async () => {
  const refid = await link();
  const sends = () => bep20Node.calls.filter(({ method }) => method === "eth_sendTransaction").length;
  const before = sends();
  bep20Node.twist = ({ method }) => {
    if (method === "anvil_nodeInfo") throw Object.assign(new Error("Method not found"), { code: -32_601 });
  };
  bitcoinNode.twist = ({ method }) => (method === "getblockchaininfo" ? { chain: "test" } : undefined);
  trc20Node.twist = ({ method }) =>
    method === "web3_clientVersion" ? "TRON/v4.8.0/Linux/Java1.8" : undefined;
  for (const network of ["bep20", "bitcoin", "trc20"] as const) {
    const response = await play({ refid, scenario: "exact", network });
    refused(response, 422, "network is not a development chain");
  }
  for (const { calls } of [bitcoinNode, trc20Node]) assert.equal(calls.length, 1, JSON.stringify(calls));
  assert.equal(sends(), before);
  assert.deepEqual((await read(refid)).wallets, []);
});

test("reports a node that is down or refuses the commands", async () => {
  const refid = await link();
  bep20Node.answer = (response) => response.destroy();
  refused(await play({ refid, scenario: "exact", network: "bep20" }), 503, "network not available");
  bep20Node.answer = null;
  bep20Node.twist = ({ method }) => {
    if (method === "eth_sendTransaction") throw new Error("out of gas");
  };
  refused(await play({ refid, scenario: "exact", network: "bep20" }), 502, "Action Failed");
});

test("refuses scenarios that the network does not support", async () => {
  bitcoinNode.twist = () => ({ chain: "regtest" });
  trc20Node.twist = () => "TRON emulator/v4.8.0";
  const refid = await link();
  const never = "scenario does not exist on this network";
  refused(await play({ refid, scenario: "wrong_token", network: "bitcoin" }), 422, never);
  refused(await play({ refid, scenario: "replaced", network: "trc20" }), 422, never);
});

test("refuses an underpayment of the whole amount, and to split an amount that is too small", async () => {
  const refid = await link();
  const whole = await play({ refid, scenario: "underpaid", network: "bep20", amount: "10" });
  refused(whole, 400, "amount is too large");
  const little = await link({ amount: "15" });
  const part = await play({ refid: little, scenario: "short", network: "bep20" });
  refused(part, 422, "amount is too small to be paid in part");
});

test("reports a missing worker where one is needed, and accepts only late payments to an expired link", async () => {
  const refid = await link();
  const unwatched = "no worker watches the network";
  refused(await play({ refid, scenario: "reorganised", network: "bep20" }), 503, unwatched);
  const another = await link();
  for (const scenario of ["underpaid", "extra"] as const) {
    refused(await play({ refid: another, scenario, network: "bep20" }), 503, unwatched);
  }
  refused(await play({ refid, scenario: "late", network: "bep20" }), 503, unwatched);
  const { expires_at } = await read(refid);
  assert.ok(new Date(expires_at) <= new Date(Date.now() + 1_000), expires_at);
  aheadMs = 1_000;
  const over = "payment link takes no payment of this scenario any more";
  refused(await play({ refid, scenario: "exact" }), 422, over);
  aheadMs = 0;
});

test("refuses more than eight concurrent payments", async () => {
  const refid = await link();
  const [eight, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let held = 0;
  bep20Node.twist = async ({ method }) => {
    if (method !== "anvil_nodeInfo") return undefined;
    held += 1;
    if (held === 8) eight.resolve();
    await going.promise;
    return undefined;
  };
  const request = { refid, scenario: "exact", network: "bep20", confirm: 0 } as const;
  const first = Array.from({ length: 8 }, () => play(request));
  await eight.promise;
  refused(await play(request), 503, "the sandbox is busy, try again");
  going.resolve();
  const statuses = (await Promise.all(first)).map(({ response }) => response.status);
  assert.deepEqual(statuses, Array(8).fill(200));
});

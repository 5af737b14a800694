/** The sandbox's endpoint on a development chain that nobody watches: what it answers, and everything it refuses. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { pino } from "pino";
import { openNetworks } from "#lib/networks/registry.ts";
import { openSandbox } from "#lib/sandbox/open-sandbox.ts";
import type { Sandbox } from "#lib/sandbox/types.ts";
import { deployUsdt, height, rpc, startAnvil, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { startApi, type TestApi } from "#tests/support/api.ts";
import { BITCOIN_ACCOUNT_KEY } from "#tests/support/bitcoin-adapter.ts";
import { startFakeNode } from "#tests/support/fake-node.ts";
import { aPaymentLink } from "#tests/support/payment-link.ts";
import { TRON_ACCOUNT_KEY } from "#tests/support/tron.ts";
import { until } from "#tests/support/until.ts";
import { ACCOUNT_KEY } from "#tests/support/watched-chain.ts";

const log = pino({ level: "silent" });
const anvil = await startAnvil({ automine: false });
await deployUsdt(anvil.url);
const bep20Node = await startFakeNode(anvil.url);
// Only asked what they are.
const bitcoinNode = await startFakeNode(anvil.url);
const trc20Node = await startFakeNode(anvil.url);

const node = { env: "test", zmqUrl: null, chainId: null, contracts: {} } as const;
const configs = [
  {
    ...node,
    network: "bep20",
    rpcUrls: [bep20Node.url],
    accountKey: ACCOUNT_KEY,
    contracts: { usdt: USDT_ADDRESS },
  },
  {
    ...node,
    network: "bitcoin",
    rpcUrls: [bitcoinNode.url],
    accountKey: BITCOIN_ACCOUNT_KEY,
    chain: "regtest",
  },
  { ...node, network: "trc20", rpcUrls: [trc20Node.url], accountKey: TRON_ACCOUNT_KEY },
] as const;
const networks = openNetworks(configs, log);

let sandbox: Sandbox;
const api = await startApi({
  networks,
  sandbox: { play: (request) => sandbox.play(request), panel: (...given) => sandbox.panel(...given) },
});
const { rates, settings } = api.services;
const links = { db: api.database.db, networks, rates, settings };
sandbox = openSandbox({ links, configs, log, patienceMs: 1_200 });
const off = await startApi({ sandbox: null });
after(async () => {
  await Promise.all([api.close(), off.close(), bep20Node.close(), bitcoinNode.close(), trc20Node.close()]);
  await anvil.kill();
});

const merchant = await api.merchant();
const headers = { "x-staging-api-key": merchant.test };

async function link(fields: Record<string, string> = {}, at: TestApi = api, by = merchant): Promise<string> {
  const { body } = await at.send({
    path: "/payment-links",
    form: aPaymentLink({ amount: "15000", ...fields }),
    headers: { "x-staging-api-key": by.test },
  });
  return (body as { data: { refid: string } }).data.refid;
}

const play = async (form: Record<string, string>) => {
  const { status, body } = await api.send({ path: "/sandbox/payments", form, headers });
  return { status, body };
};
const refused = (status: number, message: string) => ({ status, body: { status: "fail", message } });

test("pays exactly, and says what it did", async () => {
  const refid = await link();
  const before = await height(anvil.url);
  const { status, body } = await play({ refid, outcome: "exact", network: "bep20", token: "USDT" });
  const read = await api.send({ path: `/payment-links/${refid}`, headers });
  const { data } = read.body as { data: { wallets: { address: string }[] } };
  const address = data.wallets[0]?.address ?? "";
  const [{ tx_hash }] = (body as { data: { transactions: [{ tx_hash: string }] } }).data.transactions;
  assert.deepEqual(
    { status, body },
    {
      status: 200,
      body: {
        status: "success",
        message: "sandbox payment made successfully",
        data: {
          ...{ refid, outcome: "exact", network: "bep20", token: "usdt", address, amount: 10 },
          transactions: [{ tx_hash, fate: "mined", contract: null }],
          expected: { state: "completed", event: "payment_link_completed" },
        },
      },
    },
  );
  const receipt = (await rpc(anvil.url, "eth_getTransactionReceipt", [tx_hash])) as { status: string };
  assert.equal(receipt.status, "0x1");
  const finalized = (await rpc(anvil.url, "eth_getBlockByNumber", ["finalized", false])) as {
    number: string;
  };
  assert.ok(Number(finalized.number) > before, "its block is final");
});

test("confirm=0 leaves it waiting, the picked network is the default, and a key pays once", async () => {
  const refid = await link({ wallets: '[{"network":"bep20","token":"USDT"}]' });
  const before = await height(anvil.url);
  const request = {
    path: "/sandbox/payments",
    json: { refid, outcome: "over", confirm: 0 },
    headers: { ...headers, "idempotency-key": "once" },
  };
  const first = await api.send(request);
  const { data } = first.body as { data: { amount: number; transactions: { fate: string }[] } };
  assert.deepEqual([data.amount, data.transactions.map(({ fate }) => fate)], [15, ["waiting"]]);
  assert.deepEqual((await api.send(request)).body, first.body);
  assert.equal(await height(anvil.url), before);
  const { pending } = (await rpc(anvil.url, "txpool_status")) as { pending: string };
  assert.equal(Number(pending), 1);
});

test("there is none where the operator has not said so", async () => {
  const by = await off.merchant();
  const refid = await link({}, off, by);
  const { status, body } = await off.send({
    path: "/sandbox/payments",
    form: { refid, outcome: "exact", network: "bep20" },
    headers: { "x-staging-api-key": by.test },
  });
  assert.deepEqual({ status, body }, refused(404, "not found"));
});

test("a live key, another's link and an unknown one are refused", async () => {
  const refid = await link();
  const { status, body } = await api.send({
    path: "/sandbox/payments",
    form: { refid, outcome: "exact", network: "bep20" },
    headers: { "x-api-key": merchant.live },
  });
  assert.deepEqual({ status, body }, refused(403, "the sandbox takes test keys only"));
  const others = await link({}, api, await api.merchant());
  for (const unknown of [others, "1111111111111111111111", "x"]) {
    assert.deepEqual(
      await play({ refid: unknown, outcome: "exact", network: "bep20" }),
      refused(404, "refid details not found"),
    );
  }
});

test("fields are checked", async () => {
  const refid = await link();
  const good = { refid, outcome: "exact", network: "bep20" };
  const outcomes = "outcome must be exact, short, over, late, wrong_token, replaced or reorganised";
  for (const [changes, status, message] of [
    [{ refid: "" }, 400, "(refid) not found in request body"],
    [{ outcome: "" }, 400, "(outcome) not found in request body"],
    [{ outcome: "EXACT" }, 400, outcomes],
    [{ network: "polygon" }, 400, "unsupported network"],
    [{ token: "xyz" }, 400, "invalid token symbol"],
    [{ confirm: "yes" }, 400, "(confirm) must be 0 or 1"],
    [{ network: "" }, 422, "payment link has no network yet: name one"],
    [{ token: "eth" }, 422, "payment link cannot be paid with this network and token"],
    [{ network: "solana" }, 422, "payment link cannot be paid with this network and token"],
  ] as const) {
    assert.deepEqual(await play({ ...good, ...changes }), refused(status, message), JSON.stringify(changes));
  }
});

test("a network whose node is not a development chain is never paid on", async () => {
  const refid = await link();
  const asked = (network: string) => play({ refid, outcome: "exact", network });
  const never = refused(422, "network is not a development chain");
  bep20Node.twist = ({ method }) => {
    if (method === "anvil_nodeInfo") throw Object.assign(new Error("Method not found"), { code: -32_601 });
  };
  bitcoinNode.twist = ({ method }) => (method === "getblockchaininfo" ? { chain: "test" } : undefined);
  trc20Node.twist = ({ method }) =>
    method === "web3_clientVersion" ? "TRON/v4.8.0/Linux/Java1.8" : undefined;
  try {
    for (const network of ["bep20", "bitcoin", "trc20"])
      assert.deepEqual(await asked(network), never, network);
  } finally {
    bep20Node.twist = null;
  }
  for (const { calls } of [bitcoinNode, trc20Node]) assert.equal(calls.length, 1, JSON.stringify(calls));
  assert.equal(bep20Node.calls.filter(({ method }) => method === "eth_sendTransaction").length, 2);
  const read = await api.send({ path: `/payment-links/${refid}`, headers });
  assert.deepEqual((read.body as { data: { wallets: unknown[] } }).data.wallets, []);
});

test("a node that does not answer, or does not do as it is told", async () => {
  const refid = await link();
  bep20Node.answer = (response) => response.destroy();
  try {
    const answer = await play({ refid, outcome: "exact", network: "bep20" });
    assert.deepEqual(answer, refused(503, "network not available"));
  } finally {
    bep20Node.answer = null;
  }
  bep20Node.twist = ({ method }) => {
    if (method === "eth_sendTransaction") throw new Error("out of gas");
  };
  try {
    const answer = await play({ refid, outcome: "exact", network: "bep20" });
    assert.deepEqual(answer, refused(502, "Action Failed"));
  } finally {
    bep20Node.twist = null;
  }
});

test("what a chain has no way of doing", async () => {
  bitcoinNode.twist = () => ({ chain: "regtest" });
  trc20Node.twist = () => "TRON emulator/v4.8.0";
  const refid = await link();
  const never = refused(422, "outcome does not exist on this network");
  assert.deepEqual(await play({ refid, outcome: "wrong_token", network: "bitcoin" }), never);
  assert.deepEqual(await play({ refid, outcome: "replaced", network: "trc20" }), never);
});

test("too little to be halved", async () => {
  const refid = await link({ amount: "20" });
  assert.deepEqual(
    await play({ refid, outcome: "short", network: "bep20" }),
    refused(422, "amount is too small to be paid in part"),
  );
});

test("without a worker what waits for one says so, and a link whose time is over takes late money only", async () => {
  const refid = await link();
  const unwatched = refused(503, "no worker watches the network");
  assert.deepEqual(await play({ refid, outcome: "reorganised", network: "bep20" }), unwatched);
  assert.deepEqual(await play({ refid, outcome: "late", network: "bep20" }), unwatched);
  const over = refused(422, "payment link takes no payment of this outcome any more");
  assert.deepEqual(await play({ refid, outcome: "exact" }), over);
  const read = await api.send({ path: `/payment-links/${refid}`, headers });
  const { expires_at } = (read.body as { data: { expires_at: string } }).data;
  assert.ok(new Date(expires_at) <= new Date(Date.now() + 1_000), expires_at);
});

test("more than eight at once are told to come again", async () => {
  const refid = await link();
  const held: (() => void)[] = [];
  bep20Node.twist = ({ method }, pass) =>
    method === "anvil_nodeInfo" ? new Promise((resolve) => held.push(() => resolve(pass()))) : undefined;
  try {
    const request = { refid, outcome: "exact", network: "bep20", confirm: "0" };
    const first = Array.from({ length: 8 }, () => play(request));
    await until("eight to be under way", () => held.length === 8);
    const ninth = await play(request);
    assert.deepEqual(ninth, refused(503, "the sandbox is busy, try again"));
    bep20Node.twist = null;
    for (const release of held) release();
    const statuses = (await Promise.all(first)).map(({ status }) => status);
    assert.deepEqual(statuses, Array(8).fill(200));
  } finally {
    bep20Node.twist = null;
  }
});

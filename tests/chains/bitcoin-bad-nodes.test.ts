import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, beforeEach, test } from "node:test";
import { HDKey } from "@scure/bip32";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import type { NodeErrorKind } from "#lib/chains/node-error.ts";
import { bitcoinAdapter, owning, utxoNetwork } from "#tests/support/bitcoin-adapter.ts";
import { type Bitcoin, openBitcoin, type SharedNode, shareBitcoind } from "#tests/support/bitcoind.ts";
import { type FakeNode, startFakeNode } from "#tests/support/fake-node.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import { until } from "#tests/support/until.ts";
import { waitingTransfers } from "#tests/support/waiting-transfers.ts";
import { openWatchedNetwork, polledOften } from "#tests/support/watched-network.ts";

let node: SharedNode;
let bitcoin: Bitcoin;
let fake: FakeNode;
let adapter: NetworkAdapter;
let tip: number;

before(async () => {
  node = await shareBitcoind();
  bitcoin = openBitcoin(node.url);
  fake = await startFakeNode(node.url);
  tip = await bitcoin.height();
});
after(() => fake.close());
beforeEach(() => {
  fake.twist = null;
  fake.answer = null;
  fake.calls.length = 0;
  adapter = bitcoinAdapter(fake.url);
});

const scan = (from: number, to: number) => adapter.blocks.scan({ from, to }, owning());
const raw = (height: number) =>
  bitcoin.call<string>("getblockhash", height).then((hash) => bitcoin.call<string>("getblock", hash, 0));

/** The fake in front of the node replaces the answer of one method. */
function answerWith(method: string, answer: (params: unknown[]) => unknown): void {
  fake.twist = (call) => (call.method === method ? answer(call.params) : undefined);
}

test("refuses another block than the requested one", async () => {
  const other = await raw(tip - 1);
  answerWith("getblock", () => other);
  await assert.rejects(scan(tip, tip), isNodeError("malformed"));
});

test("refuses blocks that do not follow each other", async () => {
  const [from, gap] = [
    await bitcoin.call("getblockhash", tip - 5),
    await bitcoin.call("getblockhash", tip - 3),
  ];
  answerWith("getblockhash", ([height]) => (height === 0 ? undefined : height === tip - 1 ? from : gap));
  await assert.rejects(scan(tip - 1, tip), isNodeError("inconsistent"));
});

test("refuses a malformed head, list or transaction", async () => {
  const cases: [method: string, lies: unknown[], ask: () => Promise<unknown>][] = [
    [
      "getblockchaininfo",
      [
        null,
        [],
        {},
        { blocks: -1, bestblockhash: "00".repeat(32) },
        { blocks: 1.5 },
        { blocks: 7, bestblockhash: "ab" },
      ],
      () => adapter.blocks.fetchHead(),
    ],
    ["getblockhash", [null, 5, "", "zz".repeat(32), "AB".repeat(32)], () => adapter.blocks.fetchHash(1)],
    ["getrawmempool", [null, {}, [1], ["ab"]], () => waitingTransfers(adapter, owning())],
  ];
  for (const [method, lies, ask] of cases) {
    await adapter.blocks.checkIdentity();
    for (const lie of lies) {
      answerWith(method, ([height]) => (height === 0 ? undefined : lie));
      await assert.rejects(ask(), isNodeError("malformed"), `${method}: ${JSON.stringify(lie)}`);
      fake.twist = null;
    }
  }
});

test("refuses a mempool that the node is still loading", async () => {
  answerWith("getmempoolinfo", () => ({ loaded: false }));
  await assert.rejects(waitingTransfers(adapter, owning()), isNodeError("unreachable"));
});

test("distinguishes HTTP failures: redirected, cut off, not JSON, loading", async () => {
  const cases: [NodeErrorKind, FakeNode["answer"]][] = [
    ["unreachable", (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()],
    ["unreachable", (response) => response.writeHead(200).write("[{", () => response.destroy())],
    ["unreachable", (response) => response.destroy()],
    ["malformed", (response) => response.end('[{"id":0,"resu')],
    ["malformed", (response) => response.end("null")],
    ["malformed", (response) => response.end("[]")],
    [
      "unreachable",
      (response) => response.end('[{"id":0,"result":null,"error":{"code":-28,"message":"Loading"}}]'),
    ],
  ];
  for (const [kind, answer] of cases) {
    fake.answer = answer;
    adapter = bitcoinAdapter(fake.url);
    await assert.rejects(adapter.blocks.fetchHead(), isNodeError(kind));
    fake.answer = null;
    assert.equal((await adapter.blocks.fetchHead()).height, tip);
  }
});

test("refuses and names a node of another chain before reading anything from it", async () => {
  for (const [chain, message] of [
    ["testnet4", /on regtest, not on testnet4/],
    ["signet", /on regtest, not on signet/],
  ] as const) {
    const other = bitcoinAdapter(node.url, { chain });
    await assert.rejects(other.blocks.checkIdentity(), isNodeError("wrong_chain"));
    await assert.rejects(other.blocks.fetchHead(), (error: Error) => message.test(error.message));
  }
  const live = bitcoinAdapter(node.url, { env: "live", chain: null });
  await assert.rejects(live.blocks.scan({ from: 1, to: 1 }, owning()), isNodeError("wrong_chain"));
  answerWith("getblockhash", () => "ab".repeat(32));
  await assert.rejects(adapter.blocks.fetchHead(), /on another chain/);
});

test("uses the next of several nodes when one is dead, busy or of another chain", async () => {
  const address = adapter.addresses.derive(0).address;
  const waiting = [await bitcoin.sendTo(address, "0.1"), await bitcoin.sendTo(address, "0.2")];
  fake.answer = (response) => response.writeHead(429).end();
  const dead = "http://127.0.0.1:1/";
  const several = bitcoinAdapter([dead, fake.url, node.url]);
  assert.equal((await several.blocks.fetchHead()).height, tip);
  // The mempool is read on the node that does the work.
  await several.nodes.withOne({ lastBlock: null }, async () => {});
  assert.equal((await waitingTransfers(several, owning(address))).length, waiting.length);
  fake.answer = null;
  answerWith("getblockhash", () => "ab".repeat(32));
  assert.equal((await bitcoinAdapter([fake.url, node.url]).blocks.fetchHead()).height, tip);
});

test("credits a payment without another block when the node behind the URL that was asked last lacks it at first", async (t) => {
  // Tests of other files pay the usual addresses, and all that a merchant gets in a block decides how many confirmations it needs.
  const accountKey = HDKey.fromMasterSeed(randomBytes(32)).derive("m/84'/1'/0'").publicExtendedKey;
  const networks = polledOften(utxoNetwork(NETWORKS.bitcoin, [fake.url], { accountKey }));
  const watched = await openWatchedNetwork(networks, { network: "bitcoin", token: "btc" }, "btc/usd=50000");
  t.after(() => watched.close());
  const { address, refid } = await watched.link(10);
  watched.watch();
  await watched.untilReadTo(await bitcoin.height());
  let asked = 0;
  fake.twist = ({ method, params }) => {
    if (method !== "getblockhash" || params[0] !== tip + 1) return undefined;
    asked += 1;
    // It was asked for first to read the block.
    if (asked === 2) throw Object.assign(new Error("Block height out of range"), { code: -8 });
    return undefined;
  };
  tip = await bitcoin.height();
  await bitcoin.sendTo(address, "0.0002");
  await bitcoin.mine();
  await until("the payment to be credited", async () => (await watched.linkState(refid)) === "completed");
  assert.ok(asked > 2);
});

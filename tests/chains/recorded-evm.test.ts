/** The EVM readers on answers of real nodes: tests/chains/recorded/evm-own-nodes.json. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { bloomOf, type FilteredLog, mayHold } from "#lib/chains/evm/block-logs.ts";
import { isEvmSending } from "#lib/chains/evm/sending.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { NO_POSITION } from "#lib/chains/transfers.ts";
import { height, mine, openTestChain, sendEvmUsdt, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import { bep20, evmNetwork } from "#tests/support/watched-chain.ts";
import { RECORDED_EVM, recordedError, startRecordedNode } from "./recorded-evm.ts";
import { startReplayNode } from "./replay-node.ts";

const ETHER = 10n ** 18n;
const OURS = "0x00000000000000000000000000000000000000aa";
/** Receivers in the recorded block of op-geth. */
const [A, B, C, D, E] = [
  "0x58a57ed9d8d624cbd12e2c467d34787555bb1b25",
  "0x0d3eb21b6b21833a4939cfff4810e9ae0758e12c",
  "0xe42f4612e154153b68e241e8fde337e0c4dd6bbd",
  "0x2f07c220dc62ce9531bc44b695a6d93578806d8d",
  "0x1454168e82efa260f49a6f86612cc6414ba633e9",
] as const;
const CONTRACT = "0xf0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0";

async function openRecorded(t: TestContext, node: "geth" | "bsc" | "op-geth", newest: number | null = null) {
  const replay = await startRecordedNode(node, newest);
  t.after(async () => {
    await replay.close();
    assert.deepEqual(replay.unknown, []);
  });
  const network = node === "op-geth" ? "base" : "bep20";
  // The recorded op-geth has no contract of a token.
  const [contracts, changes] =
    node === "op-geth" ? [{}, { chain: "recorded" }] : [{ usdt: USDT_ADDRESS }, {}];
  return evmNetwork(network, [replay.url], contracts, changes).find("test", network)!;
}

/** A development chain behind a fake. `open`: an adapter that remembers nothing from before. */
async function openBehindFake(t: TestContext) {
  const node = await openTestChain(t);
  const fake = await openFakeNode(t, node.url);
  return { node, fake, open: () => bep20(fake.url).find("test", "bep20")! };
}

for (const { node, at, head, finalized, to } of [
  {
    node: "geth",
    at: 0x2a4,
    head: 0x2a3,
    finalized: 0x2a1,
    to: "0xb4ca98bcafddbd1530a28f9cf92df50db01ffd69",
  },
  { node: "bsc", at: 0xc94, head: 0xb5c, finalized: 0xb5b, to: "0xf9bb054a6d3dd90b4efc3d3d2ac918097b99a4db" },
] as const) {
  test(`reads ${node}'s blocks, logs, receipts and heads`, async (t) => {
    const adapter = await openRecorded(t, node);
    await adapter.blocks.checkIdentity();
    const seen = await adapter.blocks.fetchHead();
    assert.deepEqual([seen.height, seen.finalizedHeight], [head, finalized]);
    const later = await openRecorded(t, node, at);
    const { transfers, tipHash } = await later.blocks.scan({ from: at, to: at }, owning(to));
    const [{ txHash, position, token, address, amount } = assert.fail("no payment"), ...more] = transfers;
    assert.deepEqual(more, []);
    assert.deepEqual([position, token, address, amount], [0, "usdt", to, 10n * ETHER]);
    const confirmed = { kind: "confirmed", blockHeight: at, blockHash: tipHash };
    assert.deepEqual(await later.transactions!.fetchStatus(txHash), confirmed);
    const paid = await later.transactions!.fetchPayments(txHash);
    assert.deepEqual(paid?.payments, [{ position, token, address, amount }]);
    assert.ok((await adapter.transactions!.fetchRecord(txHash))?.json.includes(txHash));
    assert.equal((await adapter.feeRates!.fetch()).kind, "per_gas");
  });
}

test("reads op-geth's deposits from L1: what they send, not what they only mint or fail to send", async (t) => {
  const adapter = await openRecorded(t, "op-geth", 2);
  const { transfers } = await adapter.blocks.scan({ from: 2, to: 2 }, owning(A, B, C, D, E, CONTRACT));
  assert.deepEqual(
    transfers.map(({ address, amount, position }) => [address, amount, position]),
    [
      [A, 3n * ETHER, NO_POSITION],
      [B, 2n * ETHER, NO_POSITION],
      [C, 5n * ETHER, NO_POSITION],
      [CONTRACT, ETHER, NO_POSITION],
    ],
  );
  const hashes = RECORDED_EVM.answers
    .filter(({ node, case: name }) => node === "op-geth" && name.endsWith(": receipt"))
    .map(({ request, case: name }) => [name.replace(": receipt", ""), String(request.params[0])] as const);
  const paid = await Promise.all(
    hashes.map(async ([name, hash]) => {
      const { payments = null, inconclusiveToken } = (await adapter.transactions!.fetchPayments(hash))!;
      return [name, payments?.map(({ address, amount }) => [address, amount]) ?? null, inconclusiveToken];
    }),
  );
  // The last value: code ran that may have moved the coin.
  assert.deepEqual(Object.fromEntries(paid.map(([name, ...rest]) => [name, rest])), {
    "user transfer to a": [[[A, 3n * ETHER]], null],
    "L1 attributes": [[], "eth"],
    "L1 deposit minted and sent on to b": [[[B, 2n * ETHER]], null],
    "L1 deposit minted for c by itself from to": [[[C, 5n * ETHER]], null],
    "L1 deposit that mints for d and sends nothing": [[], null],
    "L1 deposit of more than is minted to e fails": [[], null],
    "L1 deposit to a through a contract": [[[CONTRACT, ETHER]], "eth"],
  });
});

test("computes the filters of logs that geth, BSC and op-geth write into receipts and blocks", () => {
  let logged = 0;
  for (const { node, case: name, answer } of RECORDED_EVM.answers) {
    const { logs, logsBloom } = Object(answer.result) as { logs?: FilteredLog[]; logsBloom?: string };
    if (logs === undefined || logsBloom === undefined) continue;
    assert.equal(bloomOf(logs), logsBloom, `${node}: ${name}`);
    for (const { address, topics } of logs) assert.ok(mayHold(logsBloom, [address, ...topics]));
    assert.equal(mayHold(logsBloom, [`0x${"12".repeat(20)}`]), false);
    logged += logs.length;
  }
  assert.ok(logged > 0);
});

test("takes no block above the node's head for one of its chain, as BSC's node answers after it was killed", async (t) => {
  const file = new URL("recorded/bsc-receipt-of-a-lost-block.json", import.meta.url);
  const { head, receipt, transaction } = JSON.parse(readFileSync(file, "utf8")) as {
    head: string;
    receipt: { transactionHash: string; blockNumber: string; blockHash: string; from: string };
    transaction: object;
  };
  const { transactionHash: hash, blockNumber, blockHash, from } = receipt;
  const block = (number: string, hash: string) => ({
    ...{ number, hash, parentHash: `0x${"1".repeat(64)}`, timestamp: "0x6b0870a0" },
    ...{ nonce: "0x0", logsBloom: `0x${"0".repeat(512)}` },
  });
  const newest = block(head, `0x${"2".repeat(64)}`);
  const say = (method: string, params: readonly unknown[], result: unknown) => ({
    body: { method, params },
    answer: { result },
  });
  const lost = say("eth_getBlockByNumber", [blockNumber, false], block(blockNumber, blockHash));
  const answers = [
    lost,
    say("eth_chainId", [], `0x${NETWORKS.bep20.chainId.test.toString(16)}`),
    say("eth_call", [{ to: USDT_ADDRESS, data: "0x313ce567" }, "latest"], `0x${"12".padStart(64, "0")}`),
    say("eth_getBlockByNumber", ["latest", false], newest),
    say("eth_getTransactionReceipt", [hash], receipt),
    say("eth_getTransactionByHash", [hash], { ...transaction, hash, from, to: USDT_ADDRESS, value: "0x0" }),
    say("eth_getTransactionCount", [from, "latest"], "0x16"),
    say("eth_getTransactionCount", [from, blockNumber], "0x14"),
  ];
  const replay = await startReplayNode(answers);
  t.after(() => replay.close());
  const adapter = evmNetwork("bep20", [replay.url], { usdt: USDT_ADDRESS }).find("test", "bep20")!;
  const height = Number(blockNumber);
  assert.equal(await adapter.blocks.fetchHash(height), null);
  assert.deepEqual(await adapter.transactions!.fetchStatus(hash), { kind: "pending" });
  assert.equal((await adapter.transactions!.fetchPayments(hash))?.block, null);
  const cost = await adapter.nodes.withOne({ lastBlock: null }, (one) =>
    one.transactions!.fetchCost(hash, { block: null, spent: new Map() }),
  );
  assert.equal(cost?.block, null);
  const { sending } = adapter;
  assert.ok(isEvmSending(sending));
  await assert.rejects(sending.fetchNonces(from, height), isNodeError("behind"));
  assert.deepEqual(await sending.fetchFinalNonces(from, height), []);
});

test("finds every payment on a node that refuses long ranges of logs in geth's or BSC's words", async (t) => {
  const { node, fake, open } = await openBehindFake(t);
  const from = (await height(node.url)) + 1;
  const sent: string[] = [];
  for (let i = 0; i < 3; i++) {
    sent.push(await sendEvmUsdt(node.url, OURS, 1n));
    await mine(node.url, 20);
  }
  const to = await height(node.url);
  for (const [name, words] of [
    ["geth", "more than --rpc.rangelimit 5 blocks of logs"],
    ["bsc", "more than --rpc.rangelimit 5000 blocks of logs"],
  ] as const) {
    const adapter = open();
    fake.twist = ({ method, params }) => {
      const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string };
      if (method !== "eth_getLogs" || fromBlock === undefined) return undefined;
      if (Number(toBlock) - Number(fromBlock) >= 5) throw recordedError(name, words);
      return undefined;
    };
    const { transfers } = await adapter.blocks.scan({ from, to }, owning(OURS));
    assert.deepEqual(
      transfers.map(({ txHash }) => txHash),
      sent,
      name,
    );
  }
});

test("asks for no smaller ranges where a node says that the range ends above its head", async (t) => {
  const { node, fake, open } = await openBehindFake(t);
  await mine(node.url, 60);
  const range = { from: 1, to: await height(node.url) };
  for (const name of ["geth", "bsc"] as const) {
    const adapter = open();
    const spans: number[] = [];
    let isBehind = true;
    fake.twist = ({ method, params }) => {
      const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string };
      if (method !== "eth_getLogs" || fromBlock === undefined) return undefined;
      spans.push(Number(toBlock) - Number(fromBlock) + 1);
      if (isBehind) throw recordedError(name, "logs up to a block above the head");
      return undefined;
    };
    await assert.rejects(adapter.blocks.scan(range, owning(OURS)), isNodeError("inconsistent"), name);
    isBehind = false;
    await adapter.blocks.scan(range, owning(OURS));
    assert.deepEqual(spans, [spans[0], spans[0]], name);
  }
});

test("finds every payment on a node that refuses long batches in geth's and BSC's words", async (t) => {
  const { node, fake, open } = await openBehindFake(t);
  const from = (await height(node.url)) + 1;
  const sent = await sendEvmUsdt(node.url, OURS, 1n);
  await mine(node.url, 20);
  const to = await height(node.url);
  const refusals = RECORDED_EVM.refusals.filter(({ case: name }) => name.startsWith("a batch above"));
  assert.equal(refusals.length, 2);
  for (const { node: name, body } of refusals) {
    for (const limit of [10, 2, 1]) {
      const adapter = open();
      fake.batch = (calls) => (calls.length > limit ? JSON.parse(body) : undefined);
      const { transfers } = await adapter.blocks.scan({ from, to }, owning(OURS));
      assert.deepEqual(
        transfers.map(({ txHash }) => txHash),
        [sent],
        `${name}, ${limit}`,
      );
    }
  }
});

test("takes no error about logs for an empty list of them: receipts have the payment", async (t) => {
  const { node, fake, open } = await openBehindFake(t);
  await sendEvmUsdt(node.url, OURS, 1n);
  await mine(node.url, 2);
  const to = await height(node.url);
  for (const { node: name, case: words } of RECORDED_EVM.errors.filter(
    ({ method }) => method === "eth_getLogs",
  )) {
    const adapter = open();
    await adapter.blocks.checkIdentity();
    fake.twist = ({ method }) => {
      if (method === "eth_getLogs") throw recordedError(name, words);
      return undefined;
    };
    const range = { from: to - 1, to };
    const { transfers } = await adapter.blocks.scan(range, owning(OURS));
    assert.equal(transfers.length, 1, `${name}: ${words}`);
    await assert.rejects(adapter.unlistedTokens!.scan(range, [OURS]), isNodeError(), `${name}: ${words}`);
  }
});

test("reads nothing from a whole request that geth or BSC refuses", async (t) => {
  const { fake, open } = await openBehindFake(t);
  for (const { case: name, status, body } of RECORDED_EVM.refusals) {
    const adapter = open();
    fake.answer = (response) => response.writeHead(status).end(body);
    await assert.rejects(adapter.blocks.fetchHead(), isNodeError(), name);
    await assert.rejects(adapter.transactions!.fetchStatus(`0x${"1".repeat(64)}`), isNodeError(), name);
  }
});

test("takes geth's error about the final block for a chain where nothing is final yet", async (t) => {
  const { node, fake, open } = await openBehindFake(t);
  const adapter = open();
  fake.twist = ({ params }) => {
    if (params[0] === "finalized") throw recordedError("geth", "finalized before there is one");
    return undefined;
  };
  const head = await adapter.blocks.fetchHead();
  assert.equal(head.height, await height(node.url));
  assert.ok(head.finalizedHeight === null || head.finalizedHeight <= 0, String(head.finalizedHeight));
});

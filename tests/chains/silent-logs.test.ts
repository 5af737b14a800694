/** A node's empty answer about logs is no proof that a block has none. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import type { AddressBook } from "#lib/chains/address-book.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { tronAddressFromHex } from "#lib/chains/tron/address.ts";
import {
  deployOtherToken,
  height,
  mine,
  openTestChain,
  sendEvmToken,
  sendEvmUsdt,
} from "#tests/support/anvil.ts";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import { openFakeNode, type Twist } from "#tests/support/fake-node.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import { trc20 } from "#tests/support/tron.ts";
import { bep20 } from "#tests/support/watched-chain.ts";
import { type Recorded, startReplayNode } from "./replay-node.ts";

const OURS = "0x00000000000000000000000000000000000000aa";
const BLOCKS = 60;

interface LogFilter {
  readonly address?: unknown;
  readonly topics?: unknown;
  readonly blockHash?: string;
  readonly fromBlock?: string;
  readonly toBlock?: string;
}

/** A payment every third block: in blocks that are read by height, and in those that are read by their hash. */
async function open(t: TestContext) {
  const node = await openTestChain(t);
  const fake = await openFakeNode(t, node.url);
  const from = (await height(node.url)) + 1;
  const sent: string[] = [];
  for (let i = 0; i < BLOCKS / 3; i++) {
    sent.push(await sendEvmUsdt(node.url, OURS, 1n));
    await mine(node.url, 3);
  }
  const range = { from, to: await height(node.url) };
  const scan = async (...urls: string[]) => {
    const adapter = bep20(...urls).find("test", "bep20")!;
    await adapter.blocks.fetchHead();
    const { transfers } = await adapter.blocks.scan(range, owning(OURS));
    return transfers.map(({ txHash }) => txHash);
  };
  return { node, fake, sent, scan, range };
}

const logsOf = ({ params }: { readonly params: readonly unknown[] }) => (params[0] ?? {}) as LogFilter;

const NO_BOOK: AddressBook = {
  listBefore: async () => [],
  listAfter: async () => [],
  listDue: async () => [],
  listPaidAbove: async () => [],
  findRecordedBlocks: async () => new Map(),
  findSetAside: async () => new Set(),
};

/** A filter that covers this block by height, or any block by its hash. */
let heavy = 0;
const isHeavy = ({ blockHash, fromBlock, toBlock }: LogFilter) =>
  blockHash !== undefined || (Number(fromBlock) <= heavy && Number(toBlock) >= heavy);

/** Ways in which a node leaves logs out without an error. */
const FAULTS: Readonly<Record<string, Twist>> = {
  "no index of logs": (call) =>
    call.method === "eth_getLogs" && logsOf(call).topics !== undefined ? [] : undefined,
  "no logs at all, and receipts of blocks": ({ method }) => (method === "eth_getLogs" ? [] : undefined),
  "no logs at all, and receipts of transactions": ({ method }) => {
    if (method === "eth_getBlockReceipts") throw new Error("method not found");
    return method === "eth_getLogs" ? [] : undefined;
  },
  "an answer by height that was cut": async (call, pass) => {
    if (call.method !== "eth_getLogs" || logsOf(call).blockHash !== undefined) return undefined;
    return ((await pass()) as unknown[]).slice(0, 5);
  },
  "an index that began late": async (call, pass) => {
    if (call.method !== "eth_getLogs" || logsOf(call).topics === undefined) return undefined;
    return ((await pass()) as { blockNumber: string }[]).filter((log) => Number(log.blockNumber) % 100 > 70);
  },
  "a block with more logs than it answers": (call) => {
    if (call.method === "eth_getLogs" && isHeavy(logsOf(call)))
      throw new Error("query returned more than 10000 results");
    return undefined;
  },
  "logs that are repeated": async ({ method }, pass) => {
    if (method !== "eth_getLogs") return undefined;
    const logs = (await pass()) as unknown[];
    return [...logs, ...logs];
  },
};

test("finds every payment once, whatever a node leaves out of its logs", async (t) => {
  const { fake, sent, scan, range } = await open(t);
  heavy = range.from + 9;
  assert.deepEqual(await scan(fake.url), sent, "an honest node");
  for (const [name, twist] of Object.entries(FAULTS)) {
    fake.twist = twist;
    assert.deepEqual(await scan(fake.url), sent, name);
  }
});

/** A watcher that begins. It looks for payments to OURS. */
function startWatching(url: string) {
  const adapter = bep20(url).find("test", "bep20")!;
  adapter.addressWatch!.watch({ ...NO_BOOK, listBefore: async () => [{ id: 1, address: OURS }] });
  return (from: number, to: number) =>
    adapter.nodes.withOne({ lastBlock: null }, async (one) => {
      await one.blocks.fetchHead();
      const { transfers } = await one.blocks.scan({ from, to }, owning(OURS));
      return { transfers, late: await one.late!.list(to, owning(OURS)) };
    });
}

const hashes = (transfers: readonly { readonly txHash: string }[]) => transfers.map(({ txHash }) => txHash);

test("finds a payment later that an answer left out of a block with others, also after a restart", async (t) => {
  const { node, fake } = await open(t);
  const read = startWatching(fake.url);
  const sent = [await sendEvmUsdt(node.url, OURS, 1n), await sendEvmUsdt(node.url, OURS, 2n)];
  await mine(node.url);
  const paidAt = await height(node.url);
  fake.twist = async ({ method }, pass) =>
    method === "eth_getLogs" ? ((await pass()) as unknown[]).slice(0, 1) : undefined;
  const first = await read(paidAt, paidAt);
  assert.deepEqual([hashes(first.transfers), hashes(first.late.transfers)], [sent.slice(0, 1), []]);
  fake.twist = null;
  await mine(node.url, 560);
  const readAfterRestart = startWatching(fake.url);
  for (const again of [read, readAfterRestart]) {
    await again(paidAt + 1, paidAt + 5);
    const { late } = await again(paidAt + 6, paidAt + 280);
    assert.deepEqual(hashes(late.transfers).slice(-2), sent);
    late.done();
    assert.deepEqual((await again(paidAt + 281, paidAt + 560)).late.transfers, [], "each is listed once");
  }
});

test("a payment that was listed costs no call in later looks, and a look that fails holds nothing back", async (t) => {
  const node = await openTestChain(t);
  const fake = await openFakeNode(t, node.url);
  const adapter = bep20(fake.url).find("test", "bep20")!;
  adapter.addressWatch!.watch({ ...NO_BOOK, listBefore: async () => [{ id: 1, address: OURS }] });
  const look = async (blocks: number) => {
    const from = (await height(node.url)) + 1;
    for (let i = 0; i < blocks; i++) {
      await sendEvmUsdt(node.url, OURS, 1n);
      await mine(node.url);
    }
    await mine(node.url, 280);
    const to = await height(node.url);
    return adapter.nodes.withOne({ lastBlock: null }, async (one) => {
      await one.blocks.fetchHead();
      await one.blocks.scan({ from, to }, owning(OURS));
      fake.calls.length = 0;
      const late = await one.late!.list(to, owning(OURS));
      late.done();
      return { found: late.transfers.length, calls: fake.calls.length };
    });
  };
  await look(0);
  assert.equal((await look(20)).found, 20);
  assert.deepEqual(await look(0), { found: 0, calls: 1 });
  const isLook = (filter: LogFilter) => Array.isArray(filter.topics) && filter.topics.length === 3;
  fake.twist = (call) => {
    if (call.method !== "eth_getLogs" || !isLook(logsOf(call))) return undefined;
    return "a page of a proxy whose time is up";
  };
  assert.deepEqual(await look(1), { found: 0, calls: 1 });
  fake.twist = null;
  assert.equal((await look(0)).found, 1);
});

test("passes over no block whose logs the node does not show at all, and asks the next node", async (t) => {
  const { node, fake, sent, scan } = await open(t);
  fake.twist = async ({ method }, pass) => {
    if (method === "eth_getLogs" || method === "eth_getBlockReceipts") return [];
    return method === "eth_getTransactionReceipt" ? { ...((await pass()) as object), logs: [] } : undefined;
  };
  await assert.rejects(scan(fake.url), isNodeError("inconsistent"));
  assert.deepEqual(await scan(fake.url, node.url), sent);
});

test("an honest node is asked nothing more for the newest blocks, and a header for an older one without logs", async (t) => {
  const { fake, scan } = await open(t);
  await scan(fake.url);
  const count = (name: string) => fake.calls.filter(({ method }) => method === name).length;
  assert.equal(count("eth_getBlockReceipts") + count("eth_getTransactionReceipt"), 0);
  assert.equal(count("eth_getLogs"), 17, "16 by hash and one by height");
  assert.ok(count("eth_getBlockByNumber") <= BLOCKS + 10);
});

test("finds unlisted tokens that an index of logs lacks", async (t) => {
  const node = await openTestChain(t);
  const fake = await openFakeNode(t, node.url);
  const token = await deployOtherToken(node.url);
  const adapter = bep20(fake.url).find("test", "bep20")!;
  const pay = async (amount: bigint) => {
    await sendEvmToken(node.url, token, OURS, amount);
    await mine(node.url);
  };
  await mine(node.url, 110 - (await height(node.url)));
  await pay(1n);
  await mine(node.url, 199 - (await height(node.url)));
  await pay(2n);
  await mine(node.url, 20);
  const search = async () =>
    (await adapter.unlistedTokens!.scan({ from: 101, to: 215 }, [OURS])).map(({ rawAmount }) => rawAmount);
  assert.deepEqual(await search(), [1n, 2n]);
  fake.twist = FAULTS["no index of logs"]!;
  assert.deepEqual((await search()).sort(), [1n, 2n]);
});

/** The answers of java-tron 4.8.0 about a block of a time when its JSON-RPC was off. */
const INDEX_OFF = JSON.parse(
  readFileSync(new URL("recorded/java-tron-log-index-off.json", import.meta.url), "utf8"),
) as { cases: { request: { params: [LogFilter] }; answer: { result: Record<string, string>[] } }[] };

test("reads a block that java-tron's index of logs lacks, as it was recorded", async (t) => {
  const whole = INDEX_OFF.cases.find(({ request: { params } }) => {
    return params[0].blockHash !== undefined && params[0].topics === undefined;
  })!;
  const [log] = whole.answer.result;
  const { blockHash, blockNumber, transactionHash, address, topics } = log as unknown as {
    [name: string]: string;
  } & { topics: string[] };
  const block = {
    number: blockNumber,
    hash: blockHash,
    parentHash: `0x${"1".repeat(64)}`,
    timestamp: "0x6b0870a0",
    logsBloom: `0x${"0".repeat(512)}`,
    transactions: [transactionHash],
    transactionsRoot: `0x${"2".repeat(64)}`,
  };
  const answers: Recorded[] = [
    ...INDEX_OFF.cases.map(({ request, answer }) => {
      // In the order in which the reader writes them.
      const { blockHash: asked, ...filter } = request.params[0];
      const params = [asked === undefined ? filter : { ...filter, blockHash: asked }];
      return { body: { method: "eth_getLogs", params }, answer: { result: answer.result } };
    }),
    ...[
      { method: "eth_chainId", params: [], result: `0x${NETWORKS.trc20.chainId.test.toString(16)}` },
      {
        method: "eth_call",
        params: [{ to: address, data: "0x313ce567" }, "latest"],
        result: `0x${"6".padStart(64, "0")}`,
      },
      { method: "eth_getBlockByNumber", params: [blockNumber, false], result: block },
      {
        method: "eth_getTransactionReceipt",
        params: [transactionHash],
        result: { transactionHash, blockHash, status: "0x1" },
      },
    ].map(({ result, ...body }) => ({ body, answer: { result } })),
  ].map((record) => ({ ...record, path: "/jsonrpc" }));
  const replay = await startReplayNode(answers);
  t.after(() => replay.close());
  const usdt = tronAddressFromHex(address!);
  const adapter = trc20({ url: replay.url, usdt }, { tokens: ["usdt"] }).find("test", "trc20")!;
  const at = Number(blockNumber);
  const receiver = tronAddressFromHex(`0x${topics[2]!.slice(26)}`);
  const { transfers } = await adapter.blocks.scan({ from: at, to: at }, owning(receiver));
  assert.deepEqual(replay.unknown, []);
  assert.deepEqual(
    transfers.map(({ txHash, amount }) => [txHash, amount]),
    [[transactionHash!.slice(2), 10n * 10n ** 18n]],
  );
});

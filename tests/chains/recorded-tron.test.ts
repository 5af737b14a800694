/** The TRON readers on java-tron's answers: tests/chains/recorded/java-tron-4.8.0.json. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { NETWORKS } from "#lib/chains/networks.ts";
import { NO_POSITION } from "#lib/chains/transfers.ts";
import { tronAddressFromHex } from "#lib/chains/tron/address.ts";
import { trc20Adapter } from "#tests/support/tron.ts";
import { readJavaTron } from "./java-tron.ts";
import { type Recorded, startReplayNode } from "./replay-node.ts";

const TOKEN = "0xc39a0d9b923174c8d1f8d9c1ce8d23e9874321a7";
const TRX = 10n ** 6n;
const USDT = 10n ** 18n;
const ID = {
  usdt: "c47b42496e3c267d2f1e6e4597ab3236b5ae8d4a1b845b1d15a8dd66d13a309c",
  trx: "d2222276b77edf98344cfe6b330bc71e7f635aec5727a4dd645251c1f984deeb",
  trc10: "0e684fea8810e1c477935598256d5f7747e02f5a2cb95f1295bf603447dc3fae",
  revert: "799c58fdb94ad929a7d3bfcc57b996796e5d4fb1f0219f39130b56c08be67949",
  outOfEnergy: "1594aa3d7284878dd696aa4ac9a976d88f8804edbc63d720ec12faf120b914f9",
  many: "84639efb6c94aadb79daada8d207a3c7d89842c083c3d6a820cdcbb88e04f5f0",
  big: "0c45c8b6efc041c07c53d7d875cf76f338f6f1696e931a40c8fd30319797f011",
  waitingTrx: "dc80567778cb021449811b74949ede1ed94f4fa78c223ffb226bfbff8657303f",
  waitingUsdt: "673fbc204de0639547958b92b8bf9b582db97719ef514109d237c53616adc858",
  unknown: "ab".repeat(32),
};
const RECEIVER = tronAddressFromHex("0xb18e8c0b718c4327ab047d518f89d6959a93da94");

// The recorded chain has an id of its own. The readers are of the test network's.
const CASES = readJavaTron((text) =>
  text.replaceAll("0xf55ea077", `0x${NETWORKS.trc20.chainId.test.toString(16)}`),
);

type Answer = Readonly<Record<string, unknown>>;
const answerOf = (name: string) => CASES[name]!.answer as { result: Answer & { transactions: Answer[] } };

function recorded(name: string): Recorded {
  const { request, status, answer } = CASES[name]!;
  const { result, error } = answer as Answer;
  const isRpc = request.path === "/jsonrpc";
  const content =
    isRpc && result !== undefined ? { result } : isRpc && error !== undefined ? { error } : answer;
  return { path: request.path, body: request.body, status, answer: content };
}

const rpc = (method: string, params: unknown[], result: unknown): Recorded => ({
  path: "/jsonrpc",
  body: { method, params },
  answer: { result },
});

/** Answers that follow from recorded ones: a block without its transactions, its logs of the token, their receipts. */
function derived(): Recorded[] {
  const block = answerOf("eth_getBlockByNumber-115-scenario1").result;
  const hashes = { ...block, transactions: block.transactions.map(({ hash }) => hash) };
  const topic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
  const logs = (CASES["eth_getLogs-115-all-contracts"]!.answer as { result: Record<string, string[]>[] })
    .result;
  const ours = logs.filter(({ address, topics }) => String(address) === TOKEN && topics?.[0] === topic);
  const filter = { address: [TOKEN], topics: [topic], blockHash: block.hash };
  const paying = [...new Set(ours.map(({ transactionHash }) => transactionHash))];
  const paid = { ...answerOf("eth_getBlockByNumber-full").result };
  const solid = (CASES.batch!.answer as { result: Answer }[])[2]!.result;
  const head = answerOf("eth_getBlockByNumber-latest").result;
  return [
    rpc("eth_getBlockByNumber", ["0x73", false], hashes),
    rpc("eth_getLogs", [filter], ours),
    ...paying.map((transactionHash) =>
      rpc("eth_getTransactionReceipt", [transactionHash], {
        transactionHash,
        blockHash: block.hash,
        status: "0x1",
      }),
    ),
    {
      path: "/wallet/getblockbylimitnext",
      body: { startNum: 115, endNum: 116 },
      answer: { block: [CASES["getblockbynum-115-scenario1"]!.answer] },
    },
    rpc("eth_getBlockByNumber", ["0xf7", false], { ...paid, transactions: [`0x${ID.usdt}`] }),
    rpc("eth_getBlockByNumber", ["0xf8", false], solid),
    rpc("eth_getBlockByNumber", ["0xfa", false], head),
    rpc("eth_getBlockByNumber", ["0x0", false], answerOf("eth_getBlockByNumber-earliest").result),
  ];
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function open(t: TestContext, more: readonly Recorded[] = []) {
  const single = Object.keys(CASES).filter((name) => isObject(CASES[name]!.request.body));
  const replay = await startReplayNode([...single.map(recorded), ...derived(), ...more]);
  t.after(async () => {
    await replay.close();
    assert.deepEqual(replay.unknown, []);
  });
  return trc20Adapter({ url: replay.url, usdt: tronAddressFromHex(TOKEN) });
}

test("reads java-tron's identity, head and solidified block", async (t) => {
  const adapter = await open(t);
  await adapter.blocks.checkIdentity();
  const head = await adapter.blocks.fetchHead();
  assert.deepEqual([head.height, head.finalizedHeight], [0xfa, 0xf7]);
});

test("reads java-tron's block of every kind of transaction: USDT and TRX, and nothing else", async (t) => {
  const adapter = await open(t);
  const { transfers } = await adapter.blocks.scan({ from: 115, to: 115 }, async (asked) => new Set(asked));
  const of = (token: string) =>
    transfers.filter((one) => one.token === token).map(({ position, amount }) => [position, amount]);
  assert.deepEqual(of("usdt"), [
    [0, 10n * USDT],
    [1, 4n * USDT],
    [2, 12_345_678n * (USDT / 1_000_000n)],
    [5, 7_654_321n * (USDT / 1_000_000n)],
    [7, 10n * USDT],
    [8, 10n * USDT],
  ]);
  assert.deepEqual(of("trx"), [
    [NO_POSITION, 40n * TRX],
    [NO_POSITION, 12_345_678n],
  ]);
});

test("reads java-tron's transactions: confirmed, failed, waiting, unknown", async (t) => {
  const adapter = await open(t);
  const statusOf = async (id: string) => (await adapter.transactions!.fetchStatus(id)).kind;
  const expected: Record<keyof typeof ID, string> = {
    usdt: "confirmed",
    trx: "confirmed",
    trc10: "confirmed",
    many: "confirmed",
    big: "confirmed",
    revert: "failed",
    outOfEnergy: "failed",
    waitingTrx: "pending",
    waitingUsdt: "pending",
    unknown: "unknown",
  };
  for (const [name, kind] of Object.entries(expected))
    assert.equal(await statusOf(ID[name as "usdt"]), kind, name);
});

test("reads what java-tron's transactions pay, to the last sun", async (t) => {
  const adapter = await open(t);
  const paid = async (id: string) => {
    const found = await adapter.transactions!.fetchPayments(id);
    return (
      found && [found.failed, found.payments?.map(({ token, address, amount }) => [token, address, amount])]
    );
  };

  assert.deepEqual(await paid(ID.usdt), [false, [["usdt", RECEIVER, 1_500_000n * (USDT / 1_000_000n)]]]);
  assert.deepEqual(await paid(ID.trx), [false, [["trx", RECEIVER, 5n * TRX]]]);
  assert.deepEqual(await paid(ID.big), [false, [["trx", RECEIVER, 2n ** 53n]]]);
  assert.deepEqual(await paid(ID.trc10), [false, []]);
  assert.deepEqual(await paid(ID.revert), [true, []]);
  assert.deepEqual(await paid(ID.outOfEnergy), [true, []]);
  assert.deepEqual(await paid(ID.waitingTrx), [false, undefined]);
  assert.equal(await paid(ID.unknown), null);
});

test("keeps java-tron's own record of a transaction once it is in a block", async (t) => {
  const adapter = await open(t, [
    { path: "/wallet/gettransactionbyid", body: { value: ID.unknown, visible: true }, answer: {} },
    { path: "/wallet/gettransactioninfobyid", body: { value: ID.unknown, visible: true }, answer: {} },
  ]);
  const { json } = (await adapter.transactions!.fetchRecord(ID.usdt))!;
  const { transaction, info } = JSON.parse(json) as Record<string, Record<string, unknown>>;
  assert.deepEqual([transaction?.txID, info?.fee], [ID.usdt, 2_814_660]);
  assert.equal(await adapter.transactions!.fetchRecord(ID.unknown), null);
});

test("java-tron's transactions expire by the chain's time, which its first block does not have", async (t) => {
  const adapter = await open(t);
  const head = Number(answerOf("eth_getBlockByNumber-latest").result.timestamp) * 1_000;
  const expired = (hours: number) =>
    adapter.transactions!.hasExpired(new Date(head - hours * 3_600_000), 0xfa);
  assert.equal(await expired(25), true);
  assert.equal(await expired(23), false);
});

test("reads a block whose logs java-tron refuses to send from its receipts", async (t) => {
  const filter = derived().find(({ body }) => (body as { method: string }).method === "eth_getLogs")!;
  const { hash: blockHash, transactions } = answerOf("eth_getBlockByNumber-115-scenario1").result;
  const all = (CASES["eth_getLogs-115-all-contracts"]!.answer as { result: Record<string, string>[] }).result;
  const receipts = (transactions as { hash: string }[]).map(({ hash: transactionHash }) => {
    const logs = all.filter((log) => log.transactionHash === transactionHash);
    const result = { transactionHash, blockHash, status: "0x1", logs };
    return rpc("eth_getTransactionReceipt", [transactionHash], result);
  });
  for (const name of ["limit eth_getLogs-max-block-range-20", "limit eth_getLogs-10000-results"]) {
    const { error } = CASES[name]!.answer as { error: { message: string } };
    const refused = { answer: { error } };
    const adapter = await open(t, [
      ...receipts,
      { ...filter, ...refused },
      { ...rpc("eth_getLogs", [{ blockHash }], null), ...refused },
      {
        ...rpc("eth_getBlockReceipts", ["0x73"], null),
        answer: { error: (CASES.eth_getBlockReceipts!.answer as { error: unknown }).error },
      },
    ]);
    const { transfers } = await adapter.blocks.scan({ from: 115, to: 115 }, async (asked) => new Set(asked));
    assert.equal(transfers.filter(({ token }) => token === "usdt").length, 6, name);
  }
});

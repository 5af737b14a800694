import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEvmBlock } from "#lib/chains/evm/codec.ts";
import { ETHEREUM_COIN } from "#lib/chains/evm/scan-native.ts";
import { openLearnedSizes } from "#lib/chains/learned-sizes.ts";
import { NodeError, type NodeErrorKind } from "#lib/chains/node-error.ts";
import type { RpcCall, RpcClient } from "#lib/chains/rpc-client.ts";
import { isTracesRefused } from "#lib/chains/traces-refused.ts";
import { TRACE_POSITION } from "#lib/chains/transfers.ts";
import { isNodeError } from "#tests/support/node-errors.ts";

const OURS = `0x${"aa".repeat(20)}`;
const STRANGER = `0x${"bb".repeat(20)}`;
/** keccak256(rlp("")), Ethereum yellow paper, section 4.4. */
const EMPTY_ROOT = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
const word = (n: number, mark = "0") => `0x${mark}${n.toString(16).padStart(63, "0")}`;
const hex = (n: number) => `0x${n.toString(16)}`;

interface TransactionFields {
  readonly to?: string | null;
  readonly value?: string;
  readonly changes?: object;
}

/** A block of the chain whose block n has the hash word(n). */
function block(height: number, transactions: readonly TransactionFields[], changes: object = {}) {
  return {
    number: hex(height),
    hash: word(height),
    parentHash: word(height - 1),
    timestamp: hex(1_700_000_000 + height),
    transactionsRoot: transactions.length === 0 ? EMPTY_ROOT : word(height, "c"),
    transactions: transactions.map(({ to = OURS, value = "0x1", changes: of }, i) => ({
      hash: word(height * 1_000 + i, "e"),
      from: STRANGER,
      to,
      value,
      blockHash: word(height),
      transactionIndex: hex(i),
      ...of,
    })),
    ...changes,
  };
}

test("parses sender, receiver and wei of each transaction, without a receiver for a contract creation", () => {
  const most = `0x${"f".repeat(64)}`;
  const read = parseEvmBlock(
    block(7, [{ value: "0xde0b6b3a7640000" }, { to: null, value: most }, { value: "0x0" }]),
    [],
  );
  assert.deepEqual(
    read?.transactions.map(({ sender, receiver, value }) => [sender, receiver, value]),
    [
      [STRANGER, OURS, 10n ** 18n],
      [STRANGER, null, 2n ** 256n - 1n],
      [STRANGER, OURS, 0n],
    ],
  );
  assert.equal(read?.header.height, 7);
  assert.deepEqual(parseEvmBlock(block(8, []), [])?.transactions, []);
  assert.equal(parseEvmBlock(null, []), null);
});

test("rejects a block with missing, additional or foreign transactions", () => {
  const one: readonly TransactionFields[] = [{}];
  const cases: readonly (readonly [name: string, block: unknown, kind: NodeErrorKind])[] = [
    ["emptied", block(7, one, { transactions: [] }), "malformed"],
    ["some where its root says none", block(7, one, { transactionsRoot: EMPTY_ROOT }), "malformed"],
    ["no list", block(7, one, { transactions: null }), "malformed"],
    ["hashes alone", block(7, one, { transactions: [word(1)] }), "malformed"],
    ["no root", block(7, one, { transactionsRoot: undefined }), "malformed"],
    ["one left out", block(7, [{}, { changes: { transactionIndex: "0x2" } }]), "malformed"],
    ["of another block", block(7, [{ changes: { blockHash: word(8) } }]), "inconsistent"],
  ];
  for (const [name, answer, wanted] of cases)
    assert.throws(() => parseEvmBlock(answer, []), isNodeError(wanted), name);
});

test("leaves out a transaction of others that cannot be parsed, and stops at one that may be ours", async () => {
  const scanned = (fields: TransactionFields) =>
    ETHEREUM_COIN.scanNative(node((height) => block(height, [fields])).node, { from: 7, to: 7 }, all);
  const value = `0x1${"0".repeat(64)}`;
  left.length = 0;
  assert.deepEqual((await scanned({ to: STRANGER, value })).movements, []);
  assert.equal(left.length, 1);
  await assert.rejects(scanned({ value }), isNodeError("malformed"), "ours");
  await assert.rejects(scanned({ to: "0x12" }), isNodeError("malformed"), "nobody knows whose");
  assert.equal(left.length, 1);
});

/** Errors of transactions that were left out. */
const left: Error[] = [];
const reportUnreadable = (error: Error) => void left.push(error);

/** A node that has these blocks and counts its requests. */
function node(blocks: (height: number) => unknown, receipt: (txHash: string) => unknown = () => null) {
  const requests: (readonly RpcCall[])[] = [];
  const batch = async (calls: readonly RpcCall[]) => {
    requests.push(calls);
    return calls.map(({ method, params }) =>
      method === "eth_getBlockByNumber" ? blocks(Number(params[0])) : receipt(String(params[0])),
    );
  };
  const client: RpcClient = {
    sizes: openLearnedSizes(),
    batch,
    call: async (method, params = []) => (await batch([{ method, params }]))[0],
  };
  return {
    node: {
      ...{ line: null as never, client, joining: client, reportUnreadable },
      ...{ tracing: null, knownHead: () => null, ahead: () => null },
    },
    requests,
  };
}

const all = async (addresses: readonly string[]) => new Set(addresses.filter((address) => address === OURS));

test("requests as many blocks as hold about 2,000 transactions, and 100 empty ones", async () => {
  const full = node((height) => block(height, Array<TransactionFields>(400).fill({ to: STRANGER })));
  await ETHEREUM_COIN.scanNative(full.node, { from: 1, to: 30 }, all);
  assert.deepEqual(
    full.requests.map(({ length }) => length),
    [4, 5, 5, 5, 5, 5, 1],
  );
  const empty = node((height) => block(height, []));
  const { headers } = await ETHEREUM_COIN.scanNative(empty.node, { from: 1, to: 300 }, all);
  assert.deepEqual(
    empty.requests.map(({ length }) => length),
    [4, 16, 64, 100, 100, 16],
  );
  assert.deepEqual(
    headers.map(({ height }) => height),
    Array.from({ length: 300 }, (_, i) => i + 1),
  );
});

test("fetches receipts of our transactions only, and skips failed ones", async () => {
  const blockAt = (height: number) =>
    block(height, [{ to: STRANGER }, {}, {}, { value: "0x0" }, { to: null }]);
  const [paid, failed] = [word(5_001, "e"), word(5_002, "e")];
  const receipt = (transactionHash: string) => ({
    transactionHash,
    blockHash: word(5),
    status: transactionHash === failed ? "0x0" : "0x1",
  });
  const { node: reading, requests } = node(blockAt, receipt);
  const { movements } = await ETHEREUM_COIN.scanNative(reading, { from: 5, to: 5 }, all);
  assert.deepEqual(movements, [
    { txHash: paid, sender: STRANGER, address: OURS, amount: 1n, blockHeight: 5, blockHash: word(5) },
  ]);
  assert.deepEqual(
    requests[1]?.map(({ params }) => params[0]),
    [paid, failed],
  );
});

test("reads what contracts move from traces: no failed call, no part of one, no code on the caller's coins", async () => {
  const call = (type: string, more: object = {}) => ({
    type,
    from: STRANGER,
    to: OURS,
    value: "0x1",
    ...more,
  });
  const paid = { ...call("CALL"), calls: [call("CALL", { value: "0x2" })] };
  const traces = (result: object, txHash = word(7_000, "e")) => [{ txHash, result }];
  const top = call("CALL", {
    calls: [
      ...[call("DELEGATECALL"), call("CALLCODE"), call("STATICCALL", { value: undefined })],
      ...[
        call("CALL", { value: "0x0" }),
        call("CALL", { error: "execution reverted", calls: [call("CALL")] }),
      ],
      ...[call("CREATE", { to: STRANGER }), paid, call("SELFDESTRUCT", { value: "0x3" })],
    ],
  });
  const scanned = async (answer: unknown) => {
    const { node: reading } = node((height) => block(height, [{ to: STRANGER }]));
    const tracing: RpcClient = { ...reading.client, call: async () => answer };
    const traced = { ...reading, tracing };
    return (await ETHEREUM_COIN.scanNative(traced, { from: 7, to: 7 }, all)).movements;
  };
  const found = (await scanned(traces(top))).map(({ amount, position }) => [
    amount,
    position! - TRACE_POSITION,
  ]);
  assert.deepEqual(
    found,
    [
      [1n, 1],
      [2n, 2],
      [3n, 3],
    ],
    "the others' moves are counted in the order",
  );
  assert.deepEqual(await scanned(traces({ ...top, error: "out of gas" })), []);
  for (const answer of [traces(top, word(1)), null])
    await assert.rejects(scanned(answer), (error) => isTracesRefused(error));
});

test("traces a block that is too much for one answer by its transactions, and names blocks that are too old", async () => {
  const { node: reading } = node((height) => block(height, [{ to: STRANGER }]));
  const frame = { type: "CALL", from: STRANGER, to: STRANGER, value: "0x0" };
  const result = { ...frame, calls: [{ ...frame, to: OURS, value: "0x2" }] };
  const asked: string[] = [];
  const refuse = (message: string): never => {
    throw new NodeError("refused", message);
  };
  const tracing: RpcClient = {
    ...reading.client,
    call: async (method, params = []) => {
      asked.push(`${method} ${params[0]}`);
      if (params[0] === word(7) || params[0] === word(7_000, "e")) return refuse("missing trie node");
      return method === "debug_traceBlockByHash" ? refuse("response too large") : result;
    },
  };
  const scan = (mayLackTraces: boolean) =>
    ETHEREUM_COIN.scanNative({ ...reading, tracing }, { from: 6, to: 9 }, all, { mayLackTraces });
  await assert.rejects(scan(false), (error) => isTracesRefused(error) && isNodeError("refused")(error));
  const { movements, untraced } = await scan(true);
  assert.deepEqual(untraced, [7]);
  assert.deepEqual(
    movements.map(({ blockHeight, amount }) => [blockHeight, amount]),
    [6, 8, 9].map((height) => [height, 2n]),
  );
  const silent: RpcClient = {
    ...reading.client,
    call: async () => {
      throw new NodeError("unreachable", "does not answer");
    },
  };
  const unanswered = await ETHEREUM_COIN.scanNative(
    { ...reading, tracing: silent },
    { from: 6, to: 9 },
    all,
    { mayLackTraces: true },
  );
  assert.deepEqual(unanswered.untraced, [6, 7, 8, 9]);
});

for (const [answer, error] of [
  ["no answer", new NodeError("unreachable", "does not answer")],
  ["a proxy's 502", new NodeError("malformed", "HTTP 502", { isPassing: true })],
] as const)
  test(`a node that sends ${answer} for traces is asked for no other for minutes, whatever is scanned`, async (t) => {
    // Whole: (now + 300,000) - now may be less than 300,000 otherwise.
    let now = Math.ceil(performance.now());
    t.mock.method(performance, "now", () => now);
    const { node: reading } = node((height) =>
      block(height, Array<TransactionFields>(150).fill({ to: STRANGER })),
    );
    let unanswered = 0;
    const call = async () => {
      unanswered += 1;
      throw error;
    };
    // Each pass has clients of its own.
    const scan = (mayLackTraces: boolean) =>
      ETHEREUM_COIN.scanNative(
        { ...reading, tracing: { ...reading.client, call } },
        { from: 1, to: 100 },
        all,
        { mayLackTraces },
      );
    assert.equal((await scan(true)).untraced.length, 100);
    assert.equal(unanswered, 2, "the first block, and its first transaction");
    assert.equal((await scan(true)).untraced.length, 100);
    await assert.rejects(scan(false), isTracesRefused);
    assert.equal(unanswered, 2);
    now += 5 * 60_000;
    await assert.rejects(scan(false), isTracesRefused);
    assert.equal(unanswered, 4);
  });

test("rejects blocks that do not follow each other, and a missing block", async () => {
  const torn = node((height) => block(height, [], height === 12 ? { parentHash: word(99) } : {}));
  await assert.rejects(
    ETHEREUM_COIN.scanNative(torn.node, { from: 10, to: 13 }, all),
    isNodeError("inconsistent"),
  );
  // Also between the last block of one request and the first of the next.
  const later = node((height) => block(height, [], height === 14 ? { parentHash: word(99) } : {}));
  await assert.rejects(
    ETHEREUM_COIN.scanNative(later.node, { from: 10, to: 20 }, all),
    isNodeError("inconsistent"),
  );
  const short = node((height) => (height > 12 ? null : block(height, [])));
  await assert.rejects(
    ETHEREUM_COIN.scanNative(short.node, { from: 10, to: 13 }, all),
    isNodeError("inconsistent"),
  );
  const other = node((height) => block(height + 1, []));
  await assert.rejects(
    ETHEREUM_COIN.scanNative(other.node, { from: 10, to: 10 }, all),
    isNodeError("malformed"),
  );
  await assert.rejects(ETHEREUM_COIN.scanNative(short.node, { from: 5, to: 4 }, all), RangeError);
});

test("reports that code ran when the gas used is not that of a plain transfer", async () => {
  const hash = word(1, "e");
  const outcome = (gasUsed: number, to: string | null = STRANGER) =>
    ETHEREUM_COIN.fetchEffect(
      { ...node(() => null).node, client: undefined as never },
      {
        txHash: hash,
        transaction: { to, value: "0x5", input: "0x" },
        receipt: { gasUsed: hex(gasUsed), contractAddress: to === null ? OURS : null },
      },
    );
  const moved = { address: STRANGER, amount: 5n };
  assert.deepEqual(await outcome(21_000), { moved, codeRan: false });
  // A contract that is paid without data and forwards the coins, and an account with code by EIP-7702.
  assert.deepEqual(await outcome(30_321), { moved, codeRan: true });
  // A chain with cheaper transfers: code may run for that gas.
  assert.deepEqual(await outcome(20_999), { moved, codeRan: true });
  assert.deepEqual(await outcome(53_000, null), { moved: { address: OURS, amount: 5n }, codeRan: true });
});

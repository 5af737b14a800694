import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { openNodeClient } from "#lib/chains/node-client.ts";
import type { NodeError } from "#lib/chains/node-error.ts";
import { openJoiningClient, openRpcClient } from "#lib/chains/rpc-client.ts";
import { openCoreClient } from "#lib/chains/utxo/core-client.ts";

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Answers a list of calls. Undefined: each call with its first parameter. A single call always gets that. */
type AnswerList = (calls: readonly Request[]) => unknown;

const answerOne = ({ id, params }: Request) => ({ jsonrpc: "2.0", id, result: params[0] });
const refuse = (id: number | null, code: number, message: string) => ({
  ...{ jsonrpc: "2.0", id, error: { code, message } },
});

/**
 * A node whose answers to lists are decided by `answerList`, and the sizes of the requests that it got. `refused`: its answer to a
 * single call of eth_getLogs.
 */
async function startNode(t: TestContext, answerList: AnswerList, refused: object | null = null) {
  const sizes: number[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const body = JSON.parse(text) as Request | Request[];
    sizes.push(Array.isArray(body) ? body.length : 1);
    const answerSingle = (call: Request) =>
      refused !== null && call.method === "eth_getLogs" ? refused : answerOne(call);
    const answer = Array.isArray(body) ? (answerList(body) ?? body.map(answerOne)) : answerSingle(body);
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { sizes, line: openNodeClient(`http://127.0.0.1:${port}/`, { timeoutMs: 5_000, perSecond: 0 }) };
}

const calls = (count: number, method = "eth_getBlockByNumber") =>
  Array.from({ length: count }, (_, i) => ({ method, params: [i] }));
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

// Recorded from geth 1.17.8 (--rpc.batch-request-limit) and BNB Smart Chain's node 1.7.8.
const gethLimit =
  (limit: number): AnswerList =>
  (list) =>
    list.length > limit ? [refuse(0, -32_600, "batch too large")] : undefined;
// Recorded from geth 1.17.8 (--rpc.batch-response-max-size).
const gethBytes =
  (fits: number): AnswerList =>
  (list) =>
    list.map((call, i) => (i < fits ? answerOne(call) : refuse(call.id, -32_003, "response too large")));

test("shrinks batches that are refused with a list of one entry, down to single requests", async (t) => {
  for (const limit of [7, 2, 1]) {
    const { line, sizes } = await startNode(t, gethLimit(limit));
    const client = openRpcClient(line);
    assert.deepEqual(await client.batch(calls(40)), numbers(40));
    const refused = sizes.filter((size) => size > limit).length;
    assert.ok(refused <= 6, `${refused} refused`);
    sizes.length = 0;
    assert.deepEqual(await openRpcClient(line.withSignal(undefined)).batch(calls(10)), numbers(10));
    assert.ok(Math.max(...sizes) <= limit, "the limit is remembered");
  }
});

test("shrinks batches that are refused with one error, with and without an id", async (t) => {
  for (const answer of [
    refuse(null, -32_600, "batch requests are not supported"),
    [refuse(null, -32_600, "batch too large")],
    { id: 0, error: { code: 0, message: "Batch size too large" } },
  ]) {
    const { line } = await startNode(t, () => answer);
    assert.deepEqual(await openRpcClient(line).batch(calls(9)), numbers(9));
  }
});

test("sends single requests at once where a node says that it takes no batch", async (t) => {
  const { line, sizes } = await startNode(t, () => refuse(null, -32_600, "Batch requests are not supported"));
  assert.deepEqual(await openRpcClient(line).batch(calls(4)), numbers(4));
  assert.deepEqual(sizes, [4, 1, 1, 1, 1]);
});

test("shrinks for the refused method only", async (t) => {
  const { line, sizes } = await startNode(t, (list) =>
    list.length > 4 && list.some(({ method }) => method === "eth_getLogs")
      ? [refuse(0, -32_600, "batch too large")]
      : undefined,
  );
  const client = openRpcClient(line);
  await client.batch(calls(16, "eth_getLogs"));
  assert.deepEqual(sizes, [16, 8, 4, 4, 4, 4]);
  sizes.length = 0;
  await client.batch([...calls(20), ...calls(6, "eth_getLogs")]);
  assert.deepEqual(sizes, [20, 4, 2], "a batch is as small as its smallest method");
});

test("a call that a mixed batch is refused for says nothing about the size of batches", async (t) => {
  // QuickNode: 413 with one error for the request.
  const said = refuse(0, -32_614, "eth_getLogs is limited to a 5 range");
  const isAboutLogs = (list: readonly Request[]) => list.some(({ method }) => method === "eth_getLogs");
  const { line, sizes } = await startNode(t, (list) => (isAboutLogs(list) ? [said] : undefined), said);
  const client = openRpcClient(line);
  await assert.rejects(client.batch([...calls(1, "eth_getLogs"), ...calls(4)]), ({ message }: NodeError) =>
    message.includes("limited to a 5 range"),
  );
  sizes.length = 0;
  assert.deepEqual(await client.batch(calls(16)), numbers(16));
  assert.deepEqual(sizes, [16], "the other method is still asked for in one request");
});

test("splits a batch that is refused with an error for each call, into parts of the size that it names", async (t) => {
  const drpc =
    "Batch of more than 3 requests are not allowed on free tier, to use this feature register paid account";
  const { line, sizes } = await startNode(t, (list) =>
    list.length > 3 ? list.map(({ id }) => refuse(id, 31, drpc)) : undefined,
  );
  assert.deepEqual(await openRpcClient(line).batch(calls(8)), numbers(8));
  assert.deepEqual(sizes, [8, 3, 3, 2]);
});

test("keeps the good entries of an answer that is too long, and asks the rest again in smaller batches", async (t) => {
  const { line, sizes } = await startNode(t, gethBytes(5));
  assert.deepEqual(await openRpcClient(line).batch(calls(12)), numbers(12));
  assert.deepEqual(sizes, [12, 5, 2]);
  const nothingFits = await startNode(t, gethBytes(0));
  assert.deepEqual(await openRpcClient(nothingFits.line).batch(calls(4)), numbers(4));
});

test("refuses the answer to an earlier request", async (t) => {
  let first: unknown = null;
  const { line } = await startNode(t, (list) => {
    first ??= list.map(answerOne);
    return first;
  });
  const client = openRpcClient(line);
  assert.deepEqual(await client.batch(calls(2)), [0, 1]);
  await assert.rejects(client.batch(calls(2)), {
    kind: "malformed",
    message: /left eth_getBlockByNumber unanswered/,
  });
});

test("does not take the refusal of one call for one of the batch", async (t) => {
  const { line, sizes } = await startNode(t, (list) =>
    list.map((call, i) => (i === 1 ? refuse(call.id, -32_000, "missing trie node") : answerOne(call))),
  );
  await assert.rejects(openRpcClient(line).batch(calls(3)), ({ kind, message }: NodeError) => {
    return kind === "refused" && message.includes("missing trie node");
  });
  assert.deepEqual(sizes, [3]);
});

test("Core's client takes JSON-RPC 2.0 answers, and sends single requests where no batch is taken", async (t) => {
  const { line, sizes } = await startNode(t, () => refuse(null, -32_600, "batch not allowed"));
  const core = openCoreClient(line);
  assert.deepEqual(
    await core.batch(calls(3, "getblockhash")),
    numbers(3).map((result) => ({ ok: true, result })),
  );
  assert.deepEqual(sizes, [3, 1, 1, 1]);
  const limited = await startNode(t, gethLimit(2));
  assert.equal((await openCoreClient(limited.line).batch(calls(9, "getrawtransaction"))).length, 9);
  const refusing = await startNode(t, (list) => list.map(({ id }) => refuse(id, -5, "No such transaction")));
  const answers = await openCoreClient(refusing.line).batch(calls(2, "getrawtransaction"));
  assert.deepEqual(answers[1], { ok: false, code: -5, message: "No such transaction" });
});

test("questions that are asked at the same time go out with one request, and each gets its own answer", async (t) => {
  const { sizes, line } = await startNode(t, (list) =>
    list.map((call) =>
      call.method === "eth_getLogs" ? refuse(call.id, -32_000, "no index") : answerOne(call),
    ),
  );
  const client = openJoiningClient(line);
  const [blocks, refused, one] = await Promise.allSettled([
    client.batch(calls(3)),
    client.batch(calls(2, "eth_getLogs")),
    client.call("eth_chainId", ["0x1"]),
  ]);
  assert.deepEqual(blocks, { status: "fulfilled", value: numbers(3) });
  assert.match(String((refused as PromiseRejectedResult).reason), /refused eth_getLogs: no index/);
  assert.deepEqual(one, { status: "fulfilled", value: "0x1" });
  assert.deepEqual(sizes, [6]);
  assert.deepEqual(await client.batch(calls(2)), numbers(2), "a later question has a request of its own");
  assert.deepEqual(sizes, [6, 2]);
  assert.deepEqual(await client.batch([]), []);
});

test("a joined request that fails fails for each question", async (t) => {
  const { line } = await startNode(t, () => "no list of answers");
  const client = openJoiningClient(line);
  const both = await Promise.allSettled([client.batch(calls(2)), client.batch(calls(2))]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ["rejected", "rejected"],
  );
});

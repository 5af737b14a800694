import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { checkEvmIdentity, fetchEvmHead } from "#lib/chains/evm/chain-state.ts";
import { openNodeClient } from "#lib/chains/node-client.ts";
import { openRpcClient } from "#lib/chains/rpc-client.ts";
import { isNodeError } from "#tests/support/node-errors.ts";

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

const HEIGHT = 1_000;
const header = (time: Date) => ({
  number: `0x${HEIGHT.toString(16)}`,
  hash: `0x${"1".repeat(64)}`,
  parentHash: `0x${"2".repeat(64)}`,
  timestamp: `0x${Math.floor(time.getTime() / 1_000).toString(16)}`,
});

/** A node that answers each call with the entry of `answer`: a result, or an error. */
async function openNode(t: TestContext, answer: (call: Request) => object) {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const body = JSON.parse(text) as Request | Request[];
    const entry = (call: Request) => ({ jsonrpc: "2.0", id: call.id, ...answer(call) });
    response.end(JSON.stringify(Array.isArray(body) ? body.map(entry) : entry(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return openRpcClient(openNodeClient(`http://127.0.0.1:${port}/`, { timeoutMs: 5_000, perSecond: 0 }));
}

const finalizedIs = (t: TestContext, answer: object) =>
  openNode(t, ({ params }) => (params[0] === "finalized" ? answer : { result: header(new Date()) }));

// Each client's answer before the first final block:
// https://github.com/ethereum/execution-apis/pull/879, https://github.com/erigontech/erigon/pull/20149.
for (const [node, answer] of [
  ["geth", { error: { code: -32_000, message: "finalized block not found" } }],
  ["besu, erigon", { error: { code: -39_001, message: "Unknown block" } }],
  ["new erigon", { error: { code: -39_001, message: 'block "finalized" not available (head block: 9)' } }],
  ["nethermind, reth", { result: null }],
] as const) {
  test(`takes ${node}'s answer for a chain without a final block`, async (t) => {
    const head = await fetchEvmHead(await finalizedIs(t, answer), true);
    assert.deepEqual([head.height, head.finalizedHeight], [HEIGHT, null]);
  });
}

test("does not take another error for a chain without a final block", async (t) => {
  for (const message of [
    "missing trie node",
    "TAG [earliest | pending | finalized] not supported",
    "header not found",
  ]) {
    const client = await finalizedIs(t, { error: { code: -32_000, message } });
    await assert.rejects(
      fetchEvmHead(client, true),
      (error: Error) => isNodeError("refused")(error) && error.message.includes(message),
    );
  }
});

test("calls a node far behind by that, not a chain without the contract", async (t) => {
  const token = { token: "usdt", contract: `0x${"c".repeat(40)}`, decimals: 6 } as const;
  const atTime = (time: Date) =>
    openNode(t, ({ method }) => ({
      result: method === "eth_chainId" ? "0x1" : method === "eth_call" ? "0x" : header(time),
    }));
  const hourMs = 3_600_000;
  for (const [agoMs, kind] of [
    [72 * hourMs, "behind"],
    [hourMs, "wrong_chain"],
  ] as const) {
    const client = await atTime(new Date(Date.now() - agoMs));
    await assert.rejects(checkEvmIdentity(client, 1, [token]), isNodeError(kind));
  }
});

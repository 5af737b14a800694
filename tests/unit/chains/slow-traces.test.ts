/** A trace of a large block takes a node longer than its other answers. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { HDKey } from "@scure/bip32";
import { openNetworks } from "#lib/chains/registry.ts";
import { type FakeCall, openFakeNode } from "#tests/support/fake-node.ts";
import { log } from "#tests/support/watched-chain.ts";

const SECONDS = 11;
const STRANGER = `0x${"bb".repeat(20)}`;
const CONTRACT = `0x${"cc".repeat(20)}`;
const word = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;
const TX_HASH = word(7_000);

/** `pass` lets so many seconds pass for the requests that wait. */
function holdTimeouts(t: TestContext) {
  const waiting: { readonly controller: AbortController; readonly ms: number }[] = [];
  t.mock.method(AbortSignal, "timeout", (ms: number) => {
    const controller = new AbortController();
    waiting.push({ controller, ms });
    return controller.signal;
  });
  return (seconds: number) => {
    for (const { controller, ms } of waiting)
      if (ms <= seconds * 1_000) controller.abort(new DOMException("too late", "TimeoutError"));
  };
}

test("a trace that takes a node 11 seconds is read", async (t) => {
  const pass = holdTimeouts(t);
  const node = await openFakeNode(t, "http://127.0.0.1:9");
  const accountKey = HDKey.fromMasterSeed(new Uint8Array(32).fill(1)).derive(
    "m/44'/60'/0'",
  ).publicExtendedKey;
  const scope = { env: "test", network: "erc20", rpcUrls: [node.url], accountKey, traces: true } as const;
  const [adapter] = openNetworks([{ ...scope, zmqUrl: null, chainId: null, contracts: {} }], { log }).all();
  const { address } = adapter!.addresses.derive(0);
  const transaction = { hash: TX_HASH, from: STRANGER, to: CONTRACT, value: "0x0", blockHash: word(7) };
  const block = {
    ...{ number: "0x7", hash: word(7), parentHash: word(6), timestamp: "0x6553f107" },
    logsBloom: `0x${"00".repeat(256)}`,
    ...{ transactionsRoot: word(70), transactions: [{ ...transaction, transactionIndex: "0x0" }] },
  };
  const move = { type: "CALL", from: CONTRACT, to: address, value: "0x5" };
  const answers: Readonly<Record<string, unknown>> = {
    eth_chainId: `0x${adapter!.data.chainId!.test!.toString(16)}`,
    // The decimals of its tokens.
    eth_call: word(6),
    eth_getBlockByNumber: block,
    eth_getLogs: [],
  };
  node.twist = ({ method, params }: FakeCall) => {
    if (method !== "debug_traceBlockByHash") return answers[method];
    pass(SECONDS);
    // As geth: it ends a trace after 5 s, unless it is asked for more.
    const { timeout = "5s" } = params[1] as { timeout?: string };
    if (Number.parseInt(timeout, 10) < SECONDS) throw new Error("execution timeout");
    return [{ txHash: TX_HASH, result: { type: "CALL", calls: [move] } }];
  };
  const ours = async (all: readonly string[]) => new Set(all.filter((one) => one === address));
  const { transfers } = await adapter!.blocks.scan({ from: 7, to: 7 }, ours);
  assert.deepEqual(
    transfers.map(({ amount, address: to }) => [to, amount]),
    [[address, 5n]],
  );
});

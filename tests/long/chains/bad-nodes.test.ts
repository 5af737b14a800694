import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { findWatchState } from "#lib/domain/deposits/record/cursor-store.ts";
import { rpc, sendEvmUsdt } from "#tests/support/anvil.ts";
import { type FakeNode, openFakeNode } from "#tests/support/fake-node.ts";
import { until } from "#tests/support/until.ts";
import { bep20, openWatchedChain, USDT } from "#tests/support/watched-chain.ts";

/** Watchers that reach the node through a fake. */
async function open(t: TestContext) {
  const chain = await openWatchedChain(t);
  const fake = await openFakeNode(t, chain.url);
  const { address } = await chain.address();
  return { chain, fake, address, watch: () => chain.watch(bep20(fake.url)) };
}

type Log = Record<string, unknown>;

/** Passes every eth_getLogs answer through `change`. */
function changeLogs(change: (log: Log) => unknown, url: string): (fake: FakeNode) => Promise<void> {
  return async (fake) => {
    const logs = (await rpc(url, "eth_getLogs", [{ fromBlock: "0x0", toBlock: "latest" }])) as Log[];
    fake.twist = (call) => {
      if (call.method !== "eth_getLogs") return undefined;
      const { blockHash } = call.params[0] as { blockHash?: string };
      return logs.filter((log) => log.blockHash === blockHash).map(change);
    };
  };
}

test("does not record logs that the node marks as removed", async (t) => {
  const { chain, fake, address, watch } = await open(t);
  watch();
  await chain.caughtUp();
  await sendEvmUsdt(chain.url, address, USDT);
  const stop = changeLogs((log) => ({ ...log, removed: true }), chain.url);
  fake.twist = ({ method }) => {
    if (method === "eth_getLogs") throw new Error("not now");
    return undefined;
  };
  await chain.mine();
  await stop(fake);
  await chain.caughtUp();
  assert.deepEqual(await chain.deposits(), []);
});

test("asks again when a node has a new head but not yet its blocks or logs", async (t) => {
  const { chain, fake, address, watch } = await open(t);
  watch();
  await chain.caughtUp();
  let refused = 0;
  fake.twist = ({ method }) => {
    if (["eth_getLogs", "eth_getBlockReceipts"].includes(method) && refused < 3) {
      refused += 1;
      throw new Error("unknown block");
    }
    return undefined;
  };
  await sendEvmUsdt(chain.url, address, USDT);
  await chain.mine(3);
  await chain.depositsAre(["credited"]);
  assert.equal(refused, 3);
});

test("refuses the network when a token has other decimals than the registry's", async (t) => {
  const { chain, fake } = await open(t);
  fake.twist = ({ method }) => (method === "eth_call" ? `0x${"6".padStart(64, "0")}` : undefined);
  const adapter = bep20(fake.url).find("test", "bep20")!;
  await assert.rejects(adapter.blocks.checkIdentity(), {
    kind: "wrong_chain",
    message: /has 6 decimals, not 18/,
  });
  fake.twist = ({ method }) => (method === "eth_call" ? "0x" : undefined);
  await assert.rejects(adapter.blocks.checkIdentity(), { kind: "wrong_chain", message: /no usdt contract/ });
  assert.ok(chain);
});

test("reads no block of a node that was replaced by one of another chain with the same blocks", async (t) => {
  const { chain, fake, address, watch } = await open(t);
  watch();
  await chain.caughtUp();
  fake.twist = ({ method }) => (method === "eth_chainId" ? "0x1" : undefined);
  await sendEvmUsdt(chain.url, address, USDT);
  await chain.mine(3);
  const error = async () => (await findWatchState(chain.db, { env: "test", network: "bep20" }))?.error;
  await until("the watcher to refuse it", async () => /of chain 1, not of 97/.test((await error()) ?? ""));
  assert.deepEqual(await chain.deposits(), []);
  fake.twist = null;
  await chain.depositsAre(["credited"]);
});

test("reports a wrong contract, a node that is starting and one that is not synchronized differently", async (t) => {
  const { fake } = await open(t);
  const refuse = (message: string): FakeNode["twist"] => {
    return ({ method }) => {
      if (method === "eth_call") throw Object.assign(new Error(message), { code: -32_600 });
    };
  };
  const identity = () => bep20(fake.url).find("test", "bep20")!.blocks.checkIdentity();
  // As java-tron 4.8.0 answers.
  fake.twist = refuse("Smart contract is not exist.");
  await assert.rejects(identity(), { kind: "wrong_chain", message: /no usdt contract at 0x/ });
  fake.twist = refuse("CPU timeout for 'JUMPDEST' operation executing");
  await assert.rejects(identity(), { kind: "unreachable", message: /is starting/ });
  fake.twist = async ({ method }, pass) => {
    if (method === "eth_call") return "0x";
    if (method !== "eth_getBlockByNumber") return undefined;
    return { ...((await pass()) as object), number: "0x0" };
  };
  await assert.rejects(identity(), { kind: "behind", message: /at block 0: it is not synchronized/ });
});

test("takes a chain without a final block, or with one above its head, as not final yet", async (t) => {
  const { chain, fake } = await open(t);
  await chain.mine(5);
  const head = () => bep20(fake.url).find("test", "bep20")!.blocks.fetchHead();
  const { height: newest, finalizedHeight } = await head();
  assert.ok(finalizedHeight !== null && finalizedHeight <= newest);
  const final = (change: (block: object) => unknown): FakeNode["twist"] => {
    return async ({ method, params }, pass) =>
      method === "eth_getBlockByNumber" && params[0] === "finalized"
        ? change((await pass()) as object)
        : undefined;
  };
  const answers: Readonly<Record<string, (block: object) => unknown>> = {
    "geth before the first": () => {
      throw Object.assign(new Error("finalized block not found"), { code: -32_000 });
    },
    "BNB Smart Chain before the first": (block) => ({ ...block, number: "0x0" }),
    "BNB Smart Chain after a crash": (block) => ({ ...block, number: `0x${(newest + 25).toString(16)}` }),
  };
  for (const [name, change] of Object.entries(answers)) {
    fake.twist = final(change);
    const { height: read, finalizedHeight: known } = await head();
    assert.deepEqual([read, known], [newest, null], name);
  }
  fake.twist = final(() => {
    throw Object.assign(new Error("invalid block tag"), { code: -32_602 });
  });
  await assert.rejects(head(), { kind: "refused", message: /invalid block tag/ });
});

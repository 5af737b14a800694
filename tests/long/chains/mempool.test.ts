import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { MempoolStep, MempoolView, NodeNews } from "#lib/chains/mempool-reader.ts";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import type { ChainTransfer } from "#lib/chains/transfers.ts";
import { openWatchedChain, USDT } from "#tests/support/watched-chain.ts";

/**
 * A real node with an adapter that also shows a fake mempool: the content of `waiting`, whatever the node
 * has.
 */
async function open(t: TestContext) {
  const chain = await openWatchedChain(t);
  const link = await chain.link(10);
  await chain.mine(6);
  const waiting: ChainTransfer[] = [];
  const fake = { waiting, wake: (_: NodeNews) => {}, looks: 0 };
  const watch = (changes: Partial<NetworkAdapter> = {}) => {
    const readStep = async ({ wanted }: MempoolStep): Promise<MempoolView> => {
      fake.looks += 1;
      const hashes = new Set(waiting.map(({ txHash }) => txHash));
      const gone = (await wanted()).filter((txHash) => !hashes.has(txHash));
      const [node] = chain.adapter.nodes.report();
      const fetched = { transfers: [...waiting], arrivals: 0, backlog: 0, failure: null };
      return { node: node!.name, list: fake.looks, looked: true, gone, ...fetched };
    };
    const adapter: NetworkAdapter = {
      ...chain.adapter,
      mempool: { readStep },
      news: {
        listen(wake) {
          fake.wake = wake;
          return () => {};
        },
      },
      ...changes,
    };
    const networks: NetworkRegistry = { find: () => adapter, list: () => [adapter], all: () => [adapter] };
    return chain.watch(networks);
  };
  const pending = (txHash: string, changes: Partial<ChainTransfer> = {}): ChainTransfer => ({
    txHash,
    position: 0,
    token: "usdt",
    address: link.address.toLowerCase(),
    sender: null,
    amount: 10n * USDT,
    block: null,
    spends: [],
    unmatchedReason: null,
    ...changes,
  });
  return { chain, link, fake, watch, pending };
}

test("drops at the next start what left the mempool while no watcher ran", async (t) => {
  const { chain, fake, watch, pending } = await open(t);
  const watcher = watch();
  fake.waiting.push(pending(`0x${"1".repeat(64)}`));
  await chain.depositsAre(["seen"]);
  await watcher.stop();
  fake.waiting.length = 0;
  watch();
  await chain.depositsAre(["dropped"]);
});

test("a replacement keeps the time when the amount of the first one was seen, and the rest is first seen now", async (t) => {
  const { chain, fake, watch, pending } = await open(t);
  watch();
  fake.waiting.push(pending(`0x${"1".repeat(64)}`, { spends: ["aa:0", "bb:1"] }));
  const [first] = await chain.depositsAre(["seen"]);
  const spends = ["cc:2", "bb:1", "aa:0"];
  fake.waiting.splice(0, 1, pending(`0x${"2".repeat(64)}`, { spends, amount: 9n * USDT }));
  const [dropped, second] = await chain.depositsAre(["dropped", "seen"]);
  assert.equal(dropped!.id, first!.id);
  assert.deepEqual(second!.firstSeenAt, first!.firstSeenAt);
  assert.deepEqual([second!.earlyAmount, second!.earlySeenAt], [0n, null]);
  fake.waiting.splice(0, 1, pending(`0x${"3".repeat(64)}`, { spends, amount: 12n * USDT }));
  const [, , third] = await chain.depositsAre(["dropped", "dropped", "seen"]);
  assert.deepEqual([third!.earlyAmount, third!.earlySeenAt], [10n * USDT, first!.firstSeenAt]);
  assert.ok(third!.firstSeenAt > first!.firstSeenAt);
});

test("a notification of the node shortens the wait for the next poll", async (t) => {
  const { chain, link, fake, watch, pending } = await open(t);
  watch({ data: { ...chain.adapter.data, pollMs: 600_000 } });
  await chain.caughtUp();
  fake.waiting.push(pending(`0x${"1".repeat(64)}`));
  fake.wake("transaction");
  await chain.depositsAre(["seen"]);
  assert.equal(await chain.linkState(link.refid), "detected");
});

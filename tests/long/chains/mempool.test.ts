import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { MempoolStep, MempoolView, NodeNews } from "#lib/chains/mempool-reader.ts";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import type { ChainTransfer } from "#lib/chains/transfers.ts";
import { quotes } from "#lib/domain/payment-links/tables.ts";
import { reorg, sendEvmUsdt } from "#tests/support/anvil.ts";
import { until } from "#tests/support/until.ts";
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

test("a payment shows while it waits, moves into its block, and is credited once", async (t) => {
  const { chain, link, fake, watch, pending } = await open(t);
  watch();
  await chain.caughtUp();
  const hash = await sendEvmUsdt(chain.url, link.address, 10n * USDT);
  fake.waiting.push(pending(hash));
  const [seen] = await chain.depositsAre(["seen"]);
  assert.equal(seen!.blockHash, null);
  assert.equal(await chain.linkState(link.refid), "detected");
  await chain.mine();
  await until("it to stand in a block", async () => (await chain.deposits())[0]?.blockHash);
  const looks = fake.looks;
  await until("mempools that still show it", () => fake.looks > looks + 2);
  fake.waiting.length = 0;
  await chain.mine(3);
  const [credited] = await chain.depositsAre(["credited"]);
  assert.equal(credited!.id, seen!.id);
  assert.ok(credited!.firstSeenAt <= seen!.firstSeenAt);
  assert.equal(await chain.balance(), 10n * USDT);
  assert.deepEqual((await chain.ledger()).problems, []);
});

test("drops a payment that leaves the mempool without a block, and restores it when it returns", async (t) => {
  const { chain, link, fake, watch, pending } = await open(t);
  watch();
  fake.waiting.push(pending(`0x${"1".repeat(64)}`));
  const [seen] = await chain.depositsAre(["seen"]);
  fake.waiting.length = 0;
  await chain.depositsAre(["dropped"]);
  assert.equal(await chain.linkState(link.refid), "awaiting");
  fake.waiting.push(pending(seen!.txHash));
  const [again] = await chain.depositsAre(["seen"]);
  assert.equal(again!.id, seen!.id);
  assert.equal(await chain.linkState(link.refid), "detected");
});

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

test("a replacement that pays no more keeps the time when the first one was seen", async (t) => {
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
});

test("a small payment that is replaced by a large one does not hold the price for it", async (t) => {
  const { chain, link, fake, watch, pending } = await open(t);
  watch();
  const small = USDT / 100n;
  fake.waiting.push(pending(`0x${"1".repeat(64)}`, { spends: ["aa:0"], amount: small }));
  const [first] = await chain.depositsAre(["seen"]);
  // The price that was shown asked for half of what the link costs now. It lapses.
  await chain.db.update(quotes).set({ amount: 5n * USDT, asked: 5n * USDT, validUntil: new Date() });
  const large = pending(`0x${"2".repeat(64)}`, { spends: ["aa:0", "bb:1"], amount: 5n * USDT + 1n });
  fake.waiting.splice(0, 1, large);
  const [, second] = await chain.depositsAre(["dropped", "seen"]);
  assert.deepEqual([second!.earlyAmount, second!.earlySeenAt], [small, first!.firstSeenAt]);
  assert.ok(second!.firstSeenAt > first!.firstSeenAt);
  assert.equal(await chain.linkState(link.refid), "partial");
});

test("reverses a credited payment that a reorg puts back into the mempool, and still shows it", async (t) => {
  const { chain, link, fake, watch, pending } = await open(t);
  watch();
  await chain.caughtUp();
  const hash = await sendEvmUsdt(chain.url, link.address, 10n * USDT);
  await chain.mine(4);
  await chain.depositsAre(["credited"]);
  fake.waiting.push(pending(hash));
  await reorg(chain.url, 5);
  await chain.depositsAre(["seen"]);
  assert.equal(await chain.linkState(link.refid), "detected");
  assert.equal(await chain.balance(), 0n);
  assert.deepEqual((await chain.ledger()).problems, []);
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

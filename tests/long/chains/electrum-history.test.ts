/** Electrum servers around reorganizations, restarts, catch-ups and old histories, through the watcher into the ledger. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { ChainReader, NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { electrumNetwork, openElectrumWorld, watchElectrum } from "#tests/support/electrum-world.ts";
import { until } from "#tests/support/until.ts";
import { polledOften } from "#tests/support/watched-network.ts";

const world = await openElectrumWorld();
const { bitcoin, server } = world;
after(() => server.close());

const rawOf = async (txid: string) => bitcoin.call<string>("getrawtransaction", txid);

/** Replaces the newest block by another one that holds the same transactions, and mines one more. */
async function mineAgain(...txids: readonly string[]): Promise<string> {
  const raws = await Promise.all(txids.map(rawOf));
  await bitcoin.invalidate(await bitcoin.tip());
  // Another set of transactions, so another block.
  const extra = await bitcoin.sendTo(await bitcoin.call("getnewaddress"), "0.01");
  const hash = await bitcoin.mineOnly([...raws, await rawOf(extra)]);
  await bitcoin.mineOnly([]);
  return hash;
}

/** The network, with a change to what each pass reads. */
function changed(registry: NetworkRegistry, change: (node: ChainReader) => ChainReader): NetworkRegistry {
  const [adapter] = registry.all();
  const wrapped: NetworkAdapter = {
    ...adapter!,
    nodes: {
      ...adapter!.nodes,
      withOne: (options, work) => adapter!.nodes.withOne(options, (node, name) => work(change(node), name)),
    },
  };
  return { find: () => wrapped, list: () => [wrapped], all: () => [wrapped] };
}

test("a payment that a failed pass read is credited, at the end of a catch-up of 2,000 blocks", async (t) => {
  let failures = 0;
  const opened = await world.serve(t);
  const registry = changed(electrumNetwork([opened.url]), (node) => ({
    ...node,
    blocks: {
      ...node.blocks,
      async scan(range, ours) {
        const scan = await node.blocks.scan(range, ours);
        if (scan.transfers.length === 0 || failures === 3) return scan;
        failures += 1;
        throw new NodeError("unreachable", "the node closed the connection");
      },
    },
  }));
  const watched = await watchElectrum(polledOften(registry));
  t.after(watched.close);
  const watcher = watched.watch();
  const link = await watched.link(10);
  await until("the watcher's start", async () => ((await watched.cursor())?.height ?? -1) > 0);
  await watcher.stop();
  await opened.close();
  // In the middle of what a scan reads, so that half of it does not hold the payment.
  await bitcoin.mine(80);
  await bitcoin.sendTo(link.address, "0.0002");
  for (let i = 0; i < 4; i++) await bitcoin.mine(500);
  // It shows all of them at once, so that the payment is deep when it is read.
  await world.serve(t, { port: Number(new URL(opened.url).port) });
  watched.watch();
  await watched.depositsAre(["credited"]);
  assert.equal(failures, 3);
  const tip = await bitcoin.tip();
  await until("the watcher to catch up", async () => (await watched.cursor())?.hash === tip);
  assert.equal(await watched.balance(), 20_000n);
  assert.deepEqual((await watched.ledger()).problems, []);
});

for (const trouble of ["a restart of the watcher", "a new connection"] as const) {
  test(`a payment that is mined again at the same height stays credited after ${trouble}`, async (t) => {
    const opened = await world.serve(t);
    const registry = electrumNetwork([opened.url]);
    const watched = await watchElectrum(polledOften(registry));
    t.after(watched.close);
    const watcher = watched.watch();
    const link = await watched.link(10);
    await until("the watcher's start", async () => ((await watched.cursor())?.height ?? -1) > 0);
    const txid = await bitcoin.sendTo(link.address, "0.0002");
    await bitcoin.mine();
    const [first] = await watched.depositsAre(["credited"]);
    if (trouble === "a new connection") {
      // Its history has the status that it had before.
      await opened.close();
      const hash = await mineAgain(txid);
      assert.notEqual(hash, first!.blockHash);
      await world.serve(t, { port: Number(new URL(opened.url).port) });
    } else {
      await watcher.stop();
      const { accountKey } = watched.adapter;
      const asked = opened.calls.length;
      watched.watch(polledOften(electrumNetwork([opened.url], undefined, accountKey)));
      const { height } = (await watched.cursor())!;
      await until("its first pass", () =>
        opened.calls.slice(asked).some(({ method }) => method === "blockchain.scripthash.get_history"),
      );
      assert.equal(height, await bitcoin.height());
      opened.freeze(true);
      await mineAgain(txid);
      opened.freeze(false);
    }
    const tip = await bitcoin.tip();
    await until("the watcher to follow", async () => (await watched.cursor())?.hash === tip);
    const [deposit] = await watched.depositsAre(["credited"]);
    assert.notEqual(deposit!.blockHash, first!.blockHash);
    assert.equal(await watched.balance(), 20_000n);
    assert.deepEqual((await watched.ledger()).problems, []);
  });
}

test("a look at a transaction disturbs no reorganization after it", async (t) => {
  const watched = await world.watch(t, server);
  const foreign = await bitcoin.sendTo(await bitcoin.call("getnewaddress"), "0.01");
  await bitcoin.mine();
  const tip = await bitcoin.tip();
  await until("the block", async () => (await watched.cursor())?.hash === tip);
  assert.equal((await watched.adapter.transactions!.fetchStatus(foreign)).kind, "confirmed");
  await bitcoin.reorg(1, "with");
  await watched.credited(await watched.pay());
  assert.equal(watched.adapter.nodes.report()[0]!.error, null);
  const asked = server.calls.filter(({ method }) => method === "blockchain.scripthash.get_history");
  assert.ok(asked.every(({ params }) => params[0] !== ""));
});

test("old entries of a history stop nothing, and an old payment that was never recorded is proven", async (t) => {
  const [adapter] = electrumNetwork([server.url]).all();
  const { accountKey } = adapter!;
  const { address } = adapter!.addresses.derive(5);
  const old = await bitcoin.sendTo(address, "0.0002");
  await bitcoin.mine();
  const height = await bitcoin.height();
  for (let i = 0; i < 5; i++) await bitcoin.mine(500);
  // It is at its node's head from the start.
  const { url } = await world.serve(t);
  const watched = await watchElectrum(polledOften(electrumNetwork([url], undefined, accountKey)));
  t.after(watched.close);
  watched.watch();
  await until("the watcher's start", async () => ((await watched.cursor())?.height ?? -1) > 0);
  for (let i = 0; i < 5; i++) await watched.address();
  const reused = await watched.address();
  assert.equal(reused.address, address);
  await bitcoin.sendTo(address, "0.0003");
  await bitcoin.mine();
  // The new one can be recorded first, and before it has a height.
  const find = async (amount: bigint) =>
    (await watched.depositsTo(address)).find((one) => one.amount === amount);
  await until("the new one", () => find(30_000n));
  await until("the credit of the old one", async () => (await find(20_000n))?.status === "credited");
  const credited = await find(20_000n);
  assert.deepEqual([credited!.txHash, credited!.blockHeight], [old, height]);
  assert.equal((await watched.deposits()).length, 2);
});

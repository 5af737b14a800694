import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { rawTransaction, reorg, rpc, sendEvmUsdt } from "#tests/support/anvil.ts";
import { until } from "#tests/support/until.ts";
import { openWatchedChain, USDT, type WatchedChain } from "#tests/support/watched-chain.ts";

async function open(t: TestContext) {
  const chain = await openWatchedChain(t);
  const link = await chain.link(10);
  // Blocks to reorganize, older than the first start.
  await chain.mine(6);
  chain.watch();
  await chain.caughtUp();
  return { chain, link };
}

async function blockHash(chain: WatchedChain): Promise<string> {
  const block = (await rpc(chain.url, "eth_getBlockByNumber", ["latest", false])) as { hash: string };
  return block.hash;
}

/** Waits until the watcher has followed the node to its current branch. */
async function followed(chain: WatchedChain): Promise<void> {
  await until("the cursor to be on the new branch", async () => {
    return (await chain.cursor())?.hash === (await blockHash(chain));
  });
}

test("payments that share a block at new positions keep their rows", async (t) => {
  const { chain } = await open(t);
  const [a, b] = [await chain.address(), await chain.address()];
  const payer = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
  await sendEvmUsdt(chain.url, payer, 100n);
  await chain.mine();
  const first = await sendEvmUsdt(chain.url, a.address, 5n);
  await chain.mine();
  const second = await sendEvmUsdt(chain.url, b.address, 5n, payer);
  await chain.mine();
  const before = await chain.depositsAre(["seen", "seen"]);
  const [rawFirst, rawSecond] = [
    await rawTransaction(chain.url, first),
    await rawTransaction(chain.url, second),
  ];
  await reorg(chain.url, 2, [
    [rawSecond, 0],
    [rawFirst, 0],
  ]);
  await followed(chain);
  const after = await chain.depositsAre(["seen", "seen"]);
  assert.deepEqual(
    after.map(({ id, addressId, position }) => ({ id, addressId, position })),
    [
      { id: before[0]!.id, addressId: a.id, position: 1 },
      { id: before[1]!.id, addressId: b.id, position: 0 },
    ],
  );
  await chain.mine(3);
  await chain.depositsAre(["credited", "credited"]);
  assert.equal(await chain.balance(), 10n);
});

test("finds a reorg from a time without a watcher at the next start", async (t) => {
  const chain = await openWatchedChain(t);
  const { address } = await chain.address();
  const watcher = chain.watch();
  await chain.caughtUp();
  await sendEvmUsdt(chain.url, address, USDT);
  await chain.mine(4);
  await chain.depositsAre(["credited"]);
  await watcher.stop();
  await reorg(chain.url, 5);
  await chain.mine(600);
  chain.watch();
  await chain.caughtUp();
  await chain.depositsAre(["dropped"]);
  assert.equal(await chain.balance(), 0n);
  assert.deepEqual((await chain.ledger()).problems, []);
});

test("stops a network with an error, and writes nothing, when the chain shares no block with what was read", async (t) => {
  const { chain, link } = await open(t);
  await sendEvmUsdt(chain.url, link.address, 10n * USDT);
  await chain.mine(4);
  await chain.depositsAre(["credited"]);
  await chain.db.execute("update watched_blocks set hash = '0xdead'");
  await chain.db.execute("update watch_cursors set hash = '0xdead'");
  await until("the error to show", async () => (await chain.cursor())?.error?.includes("no stored block"));
  assert.equal((await chain.cursor())?.hash, "0xdead");
  await chain.depositsAre(["credited"]);
  assert.equal(await chain.balance(), 10n * USDT);
});

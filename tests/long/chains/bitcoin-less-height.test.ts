/** A chain with more work and fewer blocks than what was read: after a reorganization to it the network continues. Real bitcoind. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import { bitcoinNetwork } from "#tests/support/bitcoin-adapter.ts";
import { addressOf, openBitcoin, REGTEST, startBitcoind } from "#tests/support/bitcoind.ts";
import { startFakeNode } from "#tests/support/fake-node.ts";
import { until } from "#tests/support/until.ts";
import { openWatchedNetwork, polledOften } from "#tests/support/watched-network.ts";

/**
 * A watched payment in the newest of four blocks, which the node then replaces by two others with the same payment. On regtest every
 * block has the same work, so the fake in front of the node says how much the replaced block had.
 */
async function open(t: TestContext, replacedWork: string | null) {
  const node = await startBitcoind();
  const bitcoin = openBitcoin(node.url);
  const fake = await startFakeNode(node.url);
  fake.twist = async ({ method }, pass) => {
    if (method !== "getblockheader" || replacedWork === null) return undefined;
    const header = (await pass()) as { confirmations: number };
    return header.confirmations === -1 ? { ...header, chainwork: replacedWork } : header;
  };
  const pair = { network: "bitcoin", token: "btc" } as const;
  const watched = await openWatchedNetwork(polledOften(bitcoinNetwork(fake.url)), pair, "btc/usd=50000");
  t.after(async () => {
    await watched.close();
    await fake.close();
    await node.stop();
  });
  watched.watch();
  await until("the watcher's start", () => watched.cursor());
  const link = await watched.link(10);
  await bitcoin.mine(3);
  // Coins that mature in the replaced blocks: a payment of them would be lost with these, on the node too.
  await bitcoin.call("lockunspent", false, await bitcoin.call("listunspent", 0, 102));
  // Not with sendTo: its lock time is the current height.
  await bitcoin.payMany([[link.address, "0.0002"]]);
  await bitcoin.mine();
  const [deposit] = await watched.depositsAre(["credited"]);
  const height = await bitcoin.height();
  assert.equal((await watched.cursor())?.height, height);
  await bitcoin.invalidate(await bitcoin.call("getblockhash", height - 3));
  await bitcoin.mine(
    2,
    addressOf({ network: REGTEST, form: "wpkh", replacesOutputs: true }, randomBytes(20)),
  );
  assert.equal(await bitcoin.height(), height - 2);
  return { bitcoin, watched, link, deposit: deposit!, height };
}

test("a shorter chain of more work is read at once, and its payments are credited once", async (t) => {
  const { bitcoin, watched, link, deposit, height } = await open(t, "1".padStart(64, "0"));
  const tip = await bitcoin.tip();
  await until("the shorter chain to be read", async () => (await watched.cursor())?.hash === tip);
  const [moved] = await watched.depositsAre(["credited"]);
  assert.equal(moved!.id, deposit.id);
  assert.equal(moved!.blockHeight, height - 3);
  assert.equal(await watched.linkState(link.refid), "completed");
  assert.equal(await watched.balance(), 20_000n);
  assert.deepEqual((await watched.ledger()).problems, []);
  // It continues, below the former height and above it.
  await bitcoin.mine(4);
  const last = await bitcoin.tip();
  await until("further blocks to be read", async () => (await watched.cursor())?.hash === last);
});

test("a shorter chain of less work moves nothing, until it is longer", async (t) => {
  const { bitcoin, watched, deposit, height } = await open(t, null);
  const before = await watched.cursor();
  await until(
    "the node's height to be noted",
    async () => (await watched.cursor())?.nodeHeight === height - 2,
  );
  assert.equal((await watched.cursor())?.hash, before?.hash);
  assert.equal((await watched.depositsAre(["credited"]))[0]?.blockHash, deposit.blockHash);
  await bitcoin.mine(3);
  const tip = await bitcoin.tip();
  await until("the longer chain to be read", async () => (await watched.cursor())?.hash === tip);
  assert.equal((await watched.depositsAre(["credited"]))[0]?.blockHeight, height - 3);
  assert.deepEqual((await watched.ledger()).problems, []);
});

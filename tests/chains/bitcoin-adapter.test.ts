import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { ChainTransfer } from "#lib/chains/transfers.ts";
import { bitcoinAdapter, owning } from "#tests/support/bitcoin-adapter.ts";
import {
  type Bitcoin,
  NOBODY,
  openBitcoin,
  type SharedNode,
  shareBitcoind,
} from "#tests/support/bitcoind.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import { until } from "#tests/support/until.ts";
import { waitingTransfers } from "#tests/support/waiting-transfers.ts";
import { startRelay } from "./relay.ts";

let node: SharedNode;
let bitcoin: Bitcoin;
let adapter: NetworkAdapter;
let next = 0;
let first: string;
let second: string;

before(async () => {
  node = await shareBitcoind();
  bitcoin = openBitcoin(node.url);
});
beforeEach(() => {
  adapter = bitcoinAdapter(node.url);
  first = adapter.addresses.derive(next++).address;
  second = adapter.addresses.derive(next++).address;
});

/** The fields of a transfer without its block and inputs. */
function brief({ txHash, position, address, amount }: ChainTransfer) {
  return { txHash, position, address, amount };
}

async function scanTip(...owned: string[]): Promise<readonly ChainTransfer[]> {
  const height = await bitcoin.height();
  return (await adapter.blocks.scan({ from: height, to: height }, owning(...owned))).transfers;
}

test("finds a payment in a block with its block, its position and the outpoints it spent", async () => {
  const txHash = await bitcoin.sendTo(first, "0.01234567");
  await bitcoin.mine(2);
  const height = (await bitcoin.height()) - 1;
  const ours = owning(first, second);
  const { transfers, tipHash, parentHash } = await adapter.blocks.scan(
    { from: height, to: height + 1 },
    ours,
  );
  const { decoded } = await bitcoin.call<{
    decoded: { vin: { txid: string; vout: number }[]; vout: { n: number; value: number }[] };
  }>("gettransaction", txHash, true, true);
  const block = await bitcoin.call<{ time: number; previousblockhash: string }>(
    "getblockheader",
    await bitcoin.call("getblockhash", height),
  );
  assert.deepEqual(transfers, [
    {
      txHash,
      position: decoded.vout.find(({ value }) => value === 0.01234567)?.n,
      token: "btc",
      address: first,
      sender: null,
      amount: 1_234_567n,
      block: {
        height,
        hash: await bitcoin.call("getblockhash", height),
        time: new Date(block.time * 1_000),
      },
      spends: decoded.vin.map(({ txid, vout }) => `${txid}:${vout}`),
      unmatchedReason: null,
    },
  ]);
  assert.equal(tipHash, await bitcoin.tip());
  assert.equal(parentHash, block.previousblockhash);
  assert.equal(ours.asked.length, 1);
});

test("reports dust like any amount, and not an output of zero", async () => {
  const txHash = await bitcoin.payMany([
    [first, "0.00000001"],
    [second, "0"],
  ]);
  await bitcoin.mine();
  assert.deepEqual((await scanTip(first, second)).map(brief), [
    { txHash, position: 0, address: first, amount: 1n },
  ]);
});

test("reports a coinbase payment with its hundred required confirmations and no spent outpoints", async () => {
  await bitcoin.mine(1, first);
  const [transfer, ...others] = await scanTip(first);
  assert.deepEqual(others, []);
  assert.equal(transfer?.minConfirmations, 100);
  assert.deepEqual(transfer?.spends, []);
  const payment = await bitcoin.sendTo(first, "0.1");
  await bitcoin.mine();
  const [paid] = await scanTip(first);
  assert.equal(paid?.txHash, payment);
  assert.equal(paid?.minConfirmations, undefined);
});

test("reports a waiting payment until it is in a block, and fetches it once", async () => {
  const txHash = await bitcoin.sendTo(first, "0.5");
  const ours = owning(first);
  const [seen, ...others] = await waitingTransfers(adapter, ours);
  assert.deepEqual(others, []);
  assert.ok(seen);
  assert.deepEqual(brief(seen), { txHash, position: seen.position, address: first, amount: 50_000_000n });
  assert.equal(seen.block, null);
  const questions = ours.asked.length;
  assert.deepEqual(await waitingTransfers(adapter, ours), [seen]);
  assert.equal(ours.asked.length, questions);
  await bitcoin.mine();
  assert.deepEqual(await waitingTransfers(adapter, ours), []);
  const [mined] = await scanTip(first);
  assert.ok(mined);
  assert.deepEqual({ ...mined, block: null }, seen);
});

test("treats a fee bump as the same payment in a new transaction that spends an outpoint of the old one", async () => {
  const old = await bitcoin.sendTo(first, "0.5");
  const [before] = await waitingTransfers(adapter, owning(first));
  const bumped = await bitcoin.replace(old);
  const [after, ...others] = await waitingTransfers(adapter, owning(first));
  assert.deepEqual(others, []);
  assert.equal(after?.txHash, bumped);
  assert.equal(after?.amount, before?.amount);
  assert.ok(after?.spends.some((outpoint) => before?.spends.includes(outpoint)));
  assert.deepEqual(await adapter.transactions!.fetchStatus(old), { kind: "unknown" });
  assert.deepEqual(await adapter.transactions!.fetchStatus(bumped), { kind: "pending" });
  await bitcoin.mine();
});

test("lets a replacement with another amount or address take the old payment's place", async () => {
  const paid = await bitcoin.sendTo(first, "0.5");
  await waitingTransfers(adapter, owning(first, second));
  const smaller = await bitcoin.replace(paid, [[first, "0.4"]]);
  assert.deepEqual(
    (await waitingTransfers(adapter, owning(first, second))).map(({ txHash, amount }) => [txHash, amount]),
    [[smaller, 40_000_000n]],
  );
  const elsewhere = await bitcoin.replace(smaller, [[second, "0.4"]]);
  assert.deepEqual(
    (await waitingTransfers(adapter, owning(first, second))).map(({ txHash, address }) => [txHash, address]),
    [[elsewhere, second]],
  );
  const away = await bitcoin.replace(elsewhere, [[NOBODY, "0.4"]]);
  assert.deepEqual(await waitingTransfers(adapter, owning(first, second)), []);
  await bitcoin.mine();
  assert.deepEqual(await scanTip(first, second), []);
  assert.equal((await adapter.transactions!.fetchStatus(away)).kind, "confirmed");
});

test("ends a waiting payment when a block holds an unknown double spend", async () => {
  const paid = await bitcoin.sendTo(first, "0.5");
  const raw = await bitcoin.call<string>("getrawtransaction", paid);
  const other = await bitcoin.replace(paid, [[second, "0.5"]]);
  const doubled = await bitcoin.call<string>("getrawtransaction", other);
  await bitcoin.mineOnly([doubled]);
  assert.deepEqual(await waitingTransfers(adapter, owning(first, second)), []);
  assert.deepEqual(
    (await scanTip(first, second)).map(({ txHash }) => txHash),
    [other],
  );
  assert.deepEqual(await adapter.transactions!.fetchStatus(paid), { kind: "unknown" });
  await assert.rejects(bitcoin.call("sendrawtransaction", raw));
});

test("confirms a payment with spent outputs if our record has its block, and is inconclusive without an index otherwise", async () => {
  const own = await bitcoin.call<string>("getnewaddress");
  const txHash = await bitcoin.payMany([[own, "0.5"]]);
  const [blockHash = ""] = await bitcoin.mine();
  const blockHeight = await bitcoin.height();
  assert.deepEqual(await adapter.transactions!.fetchStatus(txHash), {
    kind: "confirmed",
    blockHeight,
    blockHash,
  });
  const unspent = await bitcoin.call<{ txid: string; vout: number; amount: number }[]>("listunspent");
  const coins = unspent.filter(({ txid }) => txid === txHash);
  const total = coins.reduce((sum, { amount }) => sum + Math.round(amount * 1e8), 0);
  const raw = await bitcoin.call<string>("createrawtransaction", coins, [
    { [NOBODY]: ((total - 10_000) / 1e8).toFixed(8) },
  ]);
  const { hex } = await bitcoin.call<{ hex: string }>("signrawtransactionwithwallet", raw);
  await bitcoin.call("sendrawtransaction", hex);
  await bitcoin.mine();
  assert.deepEqual(await adapter.transactions!.fetchStatus(txHash), { kind: "unknown" });
  assert.deepEqual(await adapter.transactions!.fetchStatus(txHash, blockHash), {
    kind: "confirmed",
    blockHeight,
    blockHash,
  });
  assert.deepEqual(await adapter.transactions!.fetchStatus("ab".repeat(32)), { kind: "unknown" });
});

test("does not believe an index that still holds a dead transaction of a replaced block", async () => {
  const indexing = await shareBitcoind({ txindex: true });
  const chain = openBitcoin(indexing.url);
  const indexed = bitcoinAdapter(indexing.url);
  const paid = await chain.sendTo(first, "0.5");
  const [blockHash = ""] = await chain.mine();
  const synced = () =>
    chain
      .call<{ txindex: { synced: boolean; best_block_height: number } }>("getindexinfo")
      .then(async ({ txindex }) => txindex.synced && txindex.best_block_height === (await chain.height()));
  await until("the index has the block", synced);
  const confirmed = { kind: "confirmed", blockHeight: await chain.height(), blockHash };
  assert.deepEqual(await indexed.transactions!.fetchStatus(paid), confirmed);
  await chain.reorg(1, "without");
  assert.deepEqual(await indexed.transactions!.fetchStatus(paid), { kind: "pending" });
  const doubled = await chain.replace(paid, [[second, "0.5"]]);
  await chain.mine();
  await until("the index has the new block", synced);
  assert.ok(await chain.call("getrawtransaction", paid, true), "the node still shows the dead transaction");
  assert.deepEqual(await indexed.transactions!.fetchStatus(paid), { kind: "unknown" });
  assert.deepEqual(await indexed.transactions!.fetchStatus(paid, blockHash), { kind: "unknown" });
  assert.equal((await indexed.transactions!.fetchStatus(doubled)).kind, "confirmed");
});

test("wakes the watcher over ZMQ at once for a new block or transaction, until it is stopped", async () => {
  assert.equal(adapter.news, null);
  const pushed = bitcoinAdapter(node.url, { zmqUrl: node.zmqUrl });
  const wakes = { block: 0, transaction: 0 };
  const stop = pushed.news?.listen((news) => {
    wakes[news] += 1;
  });
  // The subscription reaches the node shortly after it is made.
  await until("a block wakes it", async () => {
    if (wakes.block === 0) await bitcoin.mine();
    return wakes.block > 0;
  });
  const before = wakes.transaction;
  await bitcoin.sendTo(first, "0.1");
  await until("a payment wakes it", () => wakes.transaction > before);
  stop?.();
  await bitcoin.mine();
});

test("lists the mempool once, and follows what the node publishes until the connection is lost", async (t) => {
  const fake = await openFakeNode(t, node.url);
  const zmq = await startRelay(Number(new URL(node.zmqUrl!).port));
  t.after(() => zmq.close());
  const pushed = bitcoinAdapter(fake.url, { zmqUrl: `tcp://127.0.0.1:${zmq.port}` });
  let woken = 0;
  t.after(pushed.news!.listen(() => (woken += 1)));
  const ours = owning(first, second);
  let seen: string[] = [];
  const look = async () => {
    const step = await pushed.mempool!.readStep({
      ours,
      wanted: async () => seen,
      block: null,
      lookEveryMs: 0,
    });
    return { ...step, paid: step.transfers.map(({ txHash }) => txHash) };
  };
  const sees = (...txids: string[]) =>
    until("the mempool to be followed", async () => {
      const { paid } = await look();
      return paid.toSorted().join() === txids.toSorted().join();
    });
  const calls = (method: string) => fake.calls.filter((call) => call.method === method).length;
  await until("ZMQ", async () => {
    if (woken === 0) await bitcoin.mine();
    return woken > 0;
  });
  await look();
  const lists = calls("getrawmempool");
  const one = await bitcoin.sendTo(first, "0.1");
  await sees(one);
  const other = await bitcoin.sendTo(second, "0.2");
  await sees(one, other);
  const bumped = await bitcoin.replace(one);
  await sees(bumped, other);
  seen = [one, bumped, other];
  assert.deepEqual((await look()).gone, [one]);
  seen = [bumped, other];
  await bitcoin.mineOnly([bumped]);
  await sees(other);
  assert.deepEqual((await look()).gone, [bumped]);
  const later = await bitcoin.sendTo(first, "0.3");
  await sees(other, later);
  assert.equal(calls("getrawmempool"), lists);
  // Asked once of each connection that changes come over.
  const asked = calls("getzmqnotifications");
  zmq.cut();
  const missed = await bitcoin.sendTo(first, "0.4");
  await sees(other, later, missed);
  assert.ok(calls("getrawmempool") > lists);
  seen = [other, later, missed];
  let [listings, number] = [-1, -1];
  await until("ZMQ again", async () => {
    await bitcoin.mineOnly([]);
    const { list } = await look();
    // A connection is open before the node has read its subscription. Only a change without a new list shows that.
    if (calls("getzmqnotifications") > asked && calls("getrawmempool") === listings) return list > number;
    [listings, number] = [calls("getrawmempool"), list];
    return false;
  });
  const relisted = calls("getrawmempool");
  const last = await bitcoin.sendTo(second, "0.5");
  await sees(other, later, missed, last);
  assert.equal(calls("getrawmempool"), relisted);
  // The block with it goes, and it waits again. Whether that needs a list depends on which messages come together.
  const { confirmations } = await bitcoin.call<{ confirmations: number }>("gettransaction", bumped);
  await bitcoin.reorg(confirmations, "without");
  // A transaction that spent a coin left the mempool when the coin became immature again.
  const waiting = await bitcoin.call<string[]>("getrawmempool");
  assert.ok(waiting.includes(bumped));
  await sees(...waiting);
  await bitcoin.mine();
});

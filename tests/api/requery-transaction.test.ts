/** Endpoint 7, POST /transaction/requery/:network, over real nodes (TRON: our emulator of one). */
import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { and, eq } from "drizzle-orm";
import type { paths } from "#lib/client/client.ts";
import {
  apiKeys,
  deposits,
  depositTotals,
  watchCursors,
  watchedBlocks,
  webhookEvents,
} from "#lib/db/schema.ts";
import { type NetworkAdapter, NO_POSITION } from "#lib/networks/network.ts";
import { NETWORKS, type NetworkCode } from "#lib/networks/networks.ts";
import {
  deployUsdt,
  FAUCET,
  height,
  mine,
  payUsdt as payMany,
  reorg,
  rpc,
  sendUsdt,
  startAnvil,
  transferData,
  USDT_ADDRESS,
} from "#tests/support/anvil.ts";
import type { TestMerchant } from "#tests/support/api.ts";
import { bitcoinNetwork } from "#tests/support/bitcoin-adapter.ts";
import { openBitcoin, startBitcoind } from "#tests/support/bitcoind.ts";
import { startChainApi } from "#tests/support/chain-api.ts";
import { startFakeNode } from "#tests/support/fake-node.ts";
import { refused, says, successOf } from "#tests/support/says.ts";
import {
  newAccount,
  payTrc10,
  payTrx,
  payUsdt,
  startTronEmulator,
  trc20,
  wallet,
} from "#tests/support/tron.ts";
import { anAddress } from "#tests/support/unmatched.ts";
import { until } from "#tests/support/until.ts";
import { bep20, evmNetwork, USDT } from "#tests/support/watched-chain.ts";

const anvil = await startAnvil({ automine: false });
await deployUsdt(anvil.url);
const baseNode = await startAnvil({ automine: false, chainId: NETWORKS.base.chainId.test });
const bitcoind = await startBitcoind();
const bitcoin = openBitcoin(bitcoind.url);
const tron = await startTronEmulator({ automine: false, solidifiedLag: 2 });
const fake = await startFakeNode(anvil.url);
const base = evmNetwork("base", [baseNode.url], {});
const api = await startChainApi(bep20(fake.url), base, bitcoinNetwork(bitcoind.url), trc20(tron));
after(async () => {
  await api.close();
  await fake.close();
  await Promise.all([anvil.kill(), baseNode.kill(), bitcoind.kill(), tron.stop()]);
});
const { db } = api;
const adapterOf = (network: NetworkCode) => api.networks.get("test", network) as NetworkAdapter;
let merchant: TestMerchant;
let stranger: TestMerchant;
beforeEach(async () => {
  [merchant, stranger] = [await api.merchant(), await api.merchant()];
});

type Network = paths["/transaction/requery/{network}"]["post"]["parameters"]["path"]["network"];
const requery = (network: Network, tx_hash: string, key = merchant.test) =>
  api
    .client(key)
    .POST("/transaction/requery/{network}", { params: { path: { network } }, body: { tx_hash } });
const reports = (answer: Awaited<ReturnType<typeof requery>>, message: string) =>
  says(answer, 200, { status: "success", message, data: null });
const PENDING = "transaction not found or still pending";

const shown = async (network: NetworkCode, owner = merchant) => {
  const { address } = await anAddress(db, adapterOf(network), owner.id);
  return adapterOf(network).displayAddress(address);
};
const rowsOf = (txHash: string) => db.select().from(deposits).where(eq(deposits.txHash, txHash));
const credited = (txHash: string) =>
  until("the credit", async () => (await rowsOf(txHash)).some(({ status }) => status === 1));
const cursorOf = async (network: NetworkCode) =>
  (await db.select().from(watchCursors).where(eq(watchCursors.network, network)))[0] ?? null;
const blockOf = async (hash: string) =>
  Number(
    ((await rpc(anvil.url, "eth_getTransactionReceipt", [hash])) as { blockNumber: string }).blockNumber,
  );

/** Watches until the network's head has been read, and no longer. */
async function watchOnce(network: NetworkCode) {
  const watcher = api.watch();
  const { height: head } = await adapterOf(network).head();
  await until("the watcher to be at the head", async () => ((await cursorOf(network))?.height ?? -1) >= head);
  await watcher.stop();
}

/** Puts the watcher's cursor past blocks that it never read: what they hold is missed. */
async function skipToHead(network: NetworkCode) {
  const { height: head, hash } = await adapterOf(network).head();
  const at = { env: "test", network, height: head, hash } as const;
  await db.insert(watchedBlocks).values(at);
  await db
    .update(watchCursors)
    .set({ height: head, hash, nodeHeight: head })
    .where(and(eq(watchCursors.env, "test"), eq(watchCursors.network, network)));
}

test("what the watcher credited is credited already", async () => {
  const hash = await sendUsdt(anvil.url, await shown("bep20"), USDT);
  await mine(anvil.url, 4);
  const watcher = api.watch();
  await credited(hash);
  reports(await requery("bep20", hash), "transaction already credited");
  reports(await requery("bep20", hash.toUpperCase().replace("0X", "0x")), "transaction already credited");
  const headers = { "x-staging-api-key": merchant.test };
  const form = await api.send({ path: "/transaction/requery/bep20", form: { tx_hash: hash }, headers });
  says(form, 200, { status: "success", message: "transaction already credited", data: null });
  refused(await requery("bep20", hash, stranger.test), 422, "transaction may have been skipped");
  await watcher.stop();
});

test("a deposit that the watcher missed is recorded and credited, once", async () => {
  await watchOnce("bep20");
  const address = await shown("bep20");
  const hash = await sendUsdt(anvil.url, address, 7n * USDT);
  await mine(anvil.url, 4);
  await skipToHead("bep20");
  const block = await blockOf(hash);
  reports(await requery("bep20", hash), `transaction confirmed in block ${block}`);
  reports(await requery("bep20", hash), "transaction already credited");
  const [row, ...others] = await rowsOf(hash);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [row!.status, row!.amount, row!.blockHeight, row!.creditRound, row!.merchantId],
    [1, 7n * USDT, block, 1, merchant.id],
  );
  assert.equal(await api.balance(merchant.id), 7n * USDT);
  const events = await db.select().from(webhookEvents).where(eq(webhookEvents.merchantId, merchant.id));
  assert.deepEqual(
    events.map(({ type, txHashes }) => [type, ...txHashes]),
    [["deposit_credited", hash]],
  );
  assert.deepEqual(await api.problems(), []);
});

for (const [network, url, blocks] of [
  ["bep20", anvil.url, 3],
  ["base", baseNode.url, 20],
] as const) {
  test(`${network}: its own coin, missed in a block, is credited once the block counts, and has no position`, async () => {
    await watchOnce(network);
    const payment = { from: FAUCET.address, to: await shown(network), value: "0xde0b6b3a7640000" };
    const hash = String(await rpc(url, "eth_sendTransaction", [payment]));
    await mine(url, blocks - 1);
    await skipToHead(network);
    refused(await requery(network, hash), 404, PENDING);
    await mine(url, 1);
    const { blockNumber } = (await rpc(url, "eth_getTransactionReceipt", [hash])) as { blockNumber: string };
    reports(await requery(network, hash), `transaction confirmed in block ${Number(blockNumber)}`);
    reports(await requery(network, hash), "transaction already credited");
    const [row, ...others] = await rowsOf(hash);
    assert.deepEqual(others, []);
    assert.deepEqual([row!.status, row!.token, row!.amount], [1, NETWORKS[network].coin, 10n ** 18n]);
    assert.equal(await api.balance(merchant.id), 10n ** 18n);
    const { data } = successOf(
      await api
        .client(merchant.test)
        .GET("/transaction/deposit/{tx_hash}", { params: { path: { tx_hash: hash } } }),
    );
    assert.deepEqual([data.output_pos, data.value, data.network], [null, "1", network]);
    assert.deepEqual(await api.problems(), []);
  });
}

test("twenty requeries at once, beside the running watcher, credit a missed deposit once", async () => {
  await watchOnce("bep20");
  const address = await shown("bep20");
  const hash = await payMany(
    anvil.url,
    [3n, 4n].map((amount) => ({ to: address, amount: amount * USDT })),
  );
  await mine(anvil.url, 4);
  await skipToHead("bep20");
  const watcher = api.watch();
  const block = await blockOf(hash);
  const asking = Array.from({ length: 20 }, () => requery("bep20", hash));
  // The chain goes on meanwhile, and with it the watcher's cursor.
  for (let i = 0; i < 5; i++) {
    await sendUsdt(anvil.url, address, USDT);
    await mine(anvil.url);
  }
  const texts = (await Promise.all(asking)).map((answer) => successOf(answer).message);
  const possible = [`transaction confirmed in block ${block}`, "transaction already credited"];
  assert.deepEqual(
    texts.filter((text) => !possible.includes(text)),
    [],
  );
  await mine(anvil.url, 4);
  await until("the later payments", async () => (await api.balance(merchant.id)) === 12n * USDT);
  const rows = await rowsOf(hash);
  assert.deepEqual(
    rows.map(({ status, creditRound }) => [status, creditRound]),
    [
      [1, 1],
      [1, 1],
    ],
  );
  assert.deepEqual(await api.problems(), []);
  await watcher.stop();
});

test("where nobody watches, the requery reads the chain up to the transaction itself", async () => {
  await watchOnce("bep20");
  const hash = await sendUsdt(anvil.url, await shown("bep20"), 2n * USDT);
  await mine(anvil.url, 600);
  reports(await requery("bep20", hash), `transaction confirmed in block ${await blockOf(hash)}`);
  assert.equal(await api.balance(merchant.id), 2n * USDT);
  assert.equal((await cursorOf("bep20"))!.height, await height(anvil.url));
  assert.deepEqual(await api.problems(), []);
});

test("what waits for its block or for its confirmations is pending, and is credited no earlier", async () => {
  const hash = await sendUsdt(anvil.url, await shown("bep20"), USDT);
  refused(await requery("bep20", hash), 404, PENDING);
  await mine(anvil.url);
  refused(await requery("bep20", hash), 404, PENDING);
  const [row] = await rowsOf(hash);
  assert.deepEqual([row!.status, row!.blockHeight], [0, await blockOf(hash)]);
  assert.equal(await api.balance(merchant.id), 0n);
  await mine(anvil.url, 3);
  reports(await requery("bep20", hash), `transaction confirmed in block ${await blockOf(hash)}`);
  assert.equal(await api.balance(merchant.id), USDT);
});

test("what no chain knows, and what is no hash, is unknown", async () => {
  for (const network of ["bep20", "bitcoin", "trc20"] as const) {
    for (const hash of ["ab".repeat(32), `0x${"ab".repeat(32)}`, "nonsense", "\0", "x".repeat(9_000)]) {
      refused(await requery(network, hash), 404, PENDING);
    }
  }
});

test("what pays the merchant nothing that can be credited was skipped", async () => {
  const nobody = await sendUsdt(anvil.url, FAUCET.address, USDT);
  const theirs = await sendUsdt(anvil.url, await shown("bep20", stranger), USDT);
  await mine(anvil.url, 4);
  refused(await requery("bep20", nobody), 422, "transaction may have been skipped");
  refused(await requery("bep20", theirs), 422, "transaction may have been skipped");
  // Found on the way, it is its owner's all the same.
  assert.equal(await api.balance(stranger.id), USDT);
});

test("what is held as unmatched was skipped too", async () => {
  const { id, address } = await anAddress(db, adapterOf("bep20"), merchant.id);
  // An address of a payment link that is no longer there stands for nothing.
  await db.execute(`update addresses set purpose = 'payment_link' where id = ${id}`);
  const hash = await sendUsdt(anvil.url, address, USDT);
  await mine(anvil.url, 4);
  refused(await requery("bep20", hash), 422, "transaction may have been skipped");
  assert.deepEqual(
    (await rowsOf(hash)).map(({ status, unmatchedReason }) => [status, unmatchedReason]),
    [[3, "no_purpose"]],
  );
  assert.equal(await api.balance(merchant.id), 0n);
  assert.deepEqual(await db.select().from(depositTotals).where(eq(depositTotals.addressId, id)), []);
  assert.deepEqual(await api.problems(), []);
});

test("a transaction that failed on the chain failed", async () => {
  const poor = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
  const data = transferData(await shown("bep20"), USDT);
  const transaction = { from: poor, to: USDT_ADDRESS, data, gas: "0x30d40" };
  const hash = String(await rpc(anvil.url, "eth_sendTransaction", [transaction]));
  await mine(anvil.url, 4);
  refused(await requery("bep20", hash), 422, "transaction failed");
});

test("a deposit recorded in a block that is no longer the chain's is found in the one that is", async () => {
  await watchOnce("bep20");
  const hash = await sendUsdt(anvil.url, await shown("bep20"), USDT);
  await mine(anvil.url, 1);
  refused(await requery("bep20", hash), 404, PENDING);
  await db
    .update(deposits)
    .set({ blockHash: `0x${"99".repeat(32)}`, status: 2 })
    .where(eq(deposits.txHash, hash));
  await mine(anvil.url, 3);
  const block = await blockOf(hash);
  reports(await requery("bep20", hash), `transaction confirmed in block ${block}`);
  assert.deepEqual(
    (await rowsOf(hash)).map(({ status, blockHeight }) => [status, blockHeight]),
    [[1, block]],
  );
  assert.deepEqual(await api.problems(), []);
});

test("what a requery credited is taken back like anything else when the chain takes it back", async () => {
  await watchOnce("bep20");
  const { id, address } = await anAddress(db, adapterOf("bep20"), merchant.id);
  const hash = await sendUsdt(anvil.url, address, USDT);
  await mine(anvil.url, 4);
  await skipToHead("bep20");
  reports(await requery("bep20", hash), `transaction confirmed in block ${await blockOf(hash)}`);
  await reorg(anvil.url, 5);
  await mine(anvil.url, 2);
  await watchOnce("bep20");
  const [row] = await rowsOf(hash);
  assert.equal(row!.status, 2);
  assert.equal(await api.balance(merchant.id), 0n);
  const [total] = await db.select().from(depositTotals).where(eq(depositTotals.addressId, id));
  assert.equal(total!.total, 0n);
  assert.deepEqual(await api.problems(), []);
});

test("bitcoin: seen in the mempool it is pending, missed in a block it is credited", async () => {
  await watchOnce("bitcoin");
  const txid = await bitcoin.sendTo(await shown("bitcoin"), "0.5");
  refused(await requery("bitcoin", txid), 404, PENDING);
  await bitcoin.mine(2);
  await skipToHead("bitcoin");
  const at = (await bitcoin.height()) - 1;
  // A payment to the merchant's own address takes the highest tier.
  refused(await requery("bitcoin", txid), 404, PENDING);
  assert.equal(await api.balance(merchant.id), 0n);
  await bitcoin.mine(4);
  reports(await requery("bitcoin", txid.toUpperCase()), `transaction confirmed in block ${at}`);
  assert.equal(await api.balance(merchant.id), 50_000_000n);
  assert.deepEqual(await api.problems(), []);
});

test("trc20: missed in a block it is credited once that is solidified; one that failed failed", async () => {
  await watchOnce("trc20");
  const txid = await payUsdt(tron, await shown("trc20"), 2_500_000);
  await tron.mine();
  await skipToHead("trc20");
  refused(await requery("trc20", txid), 404, PENDING);
  await tron.mine(3);
  const { message } = successOf(await requery("trc20", `0x${txid}`));
  assert.match(message, /^transaction confirmed in block [0-9]+$/);
  assert.equal(await api.balance(merchant.id), (5n * USDT) / 2n);
  const failing = await payUsdt(tron, await shown("trc20"), 1, wallet(tron, newAccount().privateKey));
  await tron.mine(4);
  refused(await requery("trc20", failing), 422, "transaction failed");
  assert.deepEqual(await api.problems(), []);
});

test("trc20: TRX that the watcher missed is recorded and credited, once, where it stands", async () => {
  await watchOnce("trc20");
  const txid = await payTrx(tron, await shown("trc20"), 12_345_678);
  await tron.mine(3);
  await skipToHead("trc20");
  const { message } = successOf(await requery("trc20", `0x${txid.toUpperCase()}`));
  assert.match(message, /^transaction confirmed in block [0-9]+$/);
  reports(await requery("trc20", txid), "transaction already credited");
  const [row, ...others] = await rowsOf(txid);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [row!.token, row!.amount, row!.position, row!.status, row!.merchantId],
    ["trx", 12_345_678n, NO_POSITION, 1, merchant.id],
  );
  assert.equal(await api.balance(merchant.id), 12_345_678n);
  const named = await payTrc10(tron, await shown("trc20"), 12_345_678);
  await tron.mine(3);
  refused(await requery("trc20", named), 422, "transaction may have been skipped");
  assert.deepEqual(await api.problems(), []);
});

test("a node that is out makes the action fail", async () => {
  fake.answer = (response) => response.writeHead(500).end("oops");
  try {
    refused(await requery("bep20", "ab".repeat(32)), 502, "Action Failed");
  } finally {
    fake.answer = null;
  }
});

test("a node that does not give the block makes the action fail, and nothing is credited", async () => {
  await watchOnce("bep20");
  const hash = await sendUsdt(anvil.url, await shown("bep20"), USDT);
  await mine(anvil.url, 4);
  await skipToHead("bep20");
  fake.twist = ({ method }) => {
    if (method === "eth_getLogs") throw new Error("pruned");
    return undefined;
  };
  try {
    refused(await requery("bep20", hash), 502, "Action Failed");
  } finally {
    fake.twist = null;
  }
  assert.deepEqual(await rowsOf(hash), []);
  reports(await requery("bep20", hash), `transaction confirmed in block ${await blockOf(hash)}`);
});

test("a network of the list that has no node here is not available, any other is not supported", async () => {
  const hash = "ab".repeat(32);
  for (const network of ["erc20", "xrp", "solana", "litecoin"] as const) {
    refused(await requery(network, hash), 503, "network not available");
  }
  for (const network of ["dogecoin", "polygon", "BEP20", "%00", "%ED%A0%80"]) {
    const path = `/transaction/requery/${network}`;
    const headers = { "x-staging-api-key": merchant.test };
    refused(await api.send({ path, form: { tx_hash: hash }, headers }), 400, "network not supported");
  }
  refused(await requery("bep20", hash, merchant.live), 503, "network not available");
});

test("its body holds the hash, its path the network, its key may do everything", async () => {
  const headers = { "x-staging-api-key": merchant.test };
  const path = "/transaction/requery/bep20";
  refused(await api.send({ path, form: {}, headers }), 400, "(tx_hash) not found in request body");
  refused(
    await api.send({ path, form: { tx_hash: "" }, headers }),
    400,
    "(tx_hash) not found in request body",
  );
  refused(await api.send({ path, json: { tx_hash: 1 }, headers }), 400, "(tx_hash) must be a string");
  const pathless = { path: "/transaction/requery/", form: { tx_hash: "ab" }, headers };
  refused(await api.send(pathless), 400, "network not found in params");
  refused(await api.send({ path, headers }), 405, "method not allowed");
  refused(await api.send({ path, form: { tx_hash: "ab" } }), 401, "invalid api key");
  await db.update(apiKeys).set({ scope: "read" }).where(eq(apiKeys.merchantId, merchant.id));
  refused(await requery("bep20", "ab"), 403, "api key not allowed for this operation");
});

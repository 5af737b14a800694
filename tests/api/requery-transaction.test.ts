/** Endpoint 7, POST /transaction/requery/:network, over real nodes (TRON: our emulator of one). */
import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { and, eq } from "drizzle-orm";
import { requeryTransaction } from "#lib/domain/deposits/requery/requery-transaction.ts";
import { deposits, depositTotals } from "#lib/domain/deposits/tables.ts";
import { webhookEvents } from "#lib/domain/webhooks/tables.ts";
import { programActAt } from "#tests/support/acts.ts";
import {
  FAUCET,
  height,
  mine,
  payUsdt as payMany,
  reorg,
  rpc,
  sendEvmUsdt,
  startTestChain,
} from "#tests/support/anvil.ts";
import type { TestMerchant } from "#tests/support/api.ts";
import { startTestFakeNode } from "#tests/support/fake-node.ts";
import { refused, succeeded } from "#tests/support/says.ts";
import { anAddress } from "#tests/support/unmatched.ts";
import { bep20, USDT } from "#tests/support/watched-chain.ts";
import { PENDING, startRequeryApi } from "./requery.ts";

const anvil = await startTestChain("bep20");
const fake = await startTestFakeNode(anvil.url);
const bench = await startRequeryApi(bep20(fake.url));
const { api, adapterOf, contextOf, requery, reports, shown, rowsOf, cursorOf, skipToHead } = bench;
const watch = () => bench.watch("bep20");
after(() => anvil.kill());
const { db } = api;
let merchant: TestMerchant;
let otherMerchant: TestMerchant;
beforeEach(async () => {
  [merchant, otherMerchant] = [await api.merchant(), await api.merchant()];
  bench.asking.merchant = merchant;
});
const blockOf = async (hash: string) =>
  Number(
    ((await rpc(anvil.url, "eth_getTransactionReceipt", [hash])) as { blockNumber: string }).blockNumber,
  );

test("a deposit that the watcher credited is already credited", async () => {
  const hash = await sendEvmUsdt(anvil.url, await shown("bep20"), USDT);
  await mine(anvil.url, 4);
  await watch();
  reports(await requery("bep20", hash), "transaction already credited");
  reports(await requery("bep20", hash.toUpperCase().replace("0X", "0x")), "transaction already credited");
  const form = { tx_hash: hash };
  const answer = await api.send({ path: "/transaction/requery/bep20", form, key: merchant.test });
  succeeded(answer, "transaction already credited", null);
  refused(await requery("bep20", hash, otherMerchant.test), 422, "transaction may have been skipped");
});

test("records and credits a deposit that the watcher missed, once", async () => {
  await watch();
  const address = await shown("bep20");
  const hash = await sendEvmUsdt(anvil.url, address, 7n * USDT);
  await mine(anvil.url, 4);
  await skipToHead("bep20");
  const block = await blockOf(hash);
  reports(await requery("bep20", hash), `transaction confirmed in block ${block}`);
  reports(await requery("bep20", hash), "transaction already credited");
  const [row, ...others] = await rowsOf(hash);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [row!.status, row!.amount, row!.blockHeight, row!.creditRound, row!.merchantId],
    ["credited", 7n * USDT, block, 1, merchant.id],
  );
  assert.equal(await api.balance(merchant.id), 7n * USDT);
  const events = await db.select().from(webhookEvents).where(eq(webhookEvents.merchantId, merchant.id));
  assert.deepEqual(
    events.map(({ type, txHashes }) => [type, ...txHashes]),
    [["deposit_credited", hash]],
  );
  assert.deepEqual(await api.problems(), []);
});

/** A transaction that pays 3 and 4 USDT to two of the merchant's addresses. The watcher has seen it, and missed the second payment. */
async function payTwice(): Promise<string> {
  const receivers = [3n, 4n].map(async (amount) => ({ to: await shown("bep20"), amount: amount * USDT }));
  const hash = await payMany(anvil.url, await Promise.all(receivers));
  await mine(anvil.url);
  await watch();
  await db.delete(deposits).where(and(eq(deposits.txHash, hash), eq(deposits.amount, 4n * USDT)));
  await mine(anvil.url, 3);
  return hash;
}

test("credits what the watcher missed of a transaction whose other payment is credited", async () => {
  const hash = await payTwice();
  await watch();
  assert.equal(await api.balance(merchant.id), 3n * USDT);
  reports(await requery("bep20", hash), `transaction confirmed in block ${await blockOf(hash)}`);
  assert.equal(await api.balance(merchant.id), 7n * USDT);
  reports(await requery("bep20", hash), "transaction already credited");
  assert.deepEqual(await api.problems(), []);
});

test("credits what the watcher missed of a transaction whose other payment waits", async () => {
  const hash = await payTwice();
  reports(await requery("bep20", hash), `transaction confirmed in block ${await blockOf(hash)}`);
  assert.equal(await api.balance(merchant.id), 7n * USDT);
  assert.deepEqual(await api.problems(), []);
});

test("a credited transaction is already credited while no node shows it", async () => {
  const hash = await sendEvmUsdt(anvil.url, await shown("bep20"), USDT);
  await mine(anvil.url, 4);
  await watch();
  fake.twist = ({ method }) => {
    if (/Transaction/.test(method)) throw new Error("pruned");
    return undefined;
  };
  reports(await requery("bep20", hash), "transaction already credited");
  fake.twist = null;
});

test("twenty concurrent requeries next to a running watcher credit a missed deposit once", async () => {
  await watch();
  const address = await shown("bep20");
  const hash = await payMany(
    anvil.url,
    [3n, 4n].map((amount) => ({ to: address, amount: amount * USDT })),
  );
  await mine(anvil.url, 4);
  await skipToHead("bep20");
  const block = await blockOf(hash);
  // One process allows a merchant two concurrent requeries. Several processes together allow twenty.
  const act = programActAt(api.database.db, merchant.id);
  const asking = Array.from({ length: 20 }, () =>
    requeryTransaction(act, { watch: contextOf("bep20"), text: hash }),
  );
  let isAnswered = false;
  const watching = (async () => {
    while (!isAnswered) await watch();
  })();
  // New blocks arrive meanwhile, and the watcher's cursor advances.
  for (let i = 0; i < 5; i++) {
    await sendEvmUsdt(anvil.url, address, USDT);
    await mine(anvil.url);
  }
  for (const response of await Promise.all(asking)) {
    if (response.ok && response.outcome === "already_credited") continue;
    assert.deepEqual(response, { ok: true, outcome: "confirmed", blockHeight: block });
  }
  isAnswered = true;
  await watching;
  await mine(anvil.url, 4);
  await watch();
  assert.equal(await api.balance(merchant.id), 12n * USDT);
  const rows = await rowsOf(hash);
  assert.deepEqual(
    rows.map(({ status, creditRound }) => [status, creditRound]),
    [
      ["credited", 1],
      ["credited", 1],
    ],
  );
  assert.deepEqual(await api.problems(), []);
});

test("without a watcher, a requery reads the chain up to the transaction", async () => {
  await watch();
  const hash = await sendEvmUsdt(anvil.url, await shown("bep20"), 2n * USDT);
  await mine(anvil.url, 600);
  reports(await requery("bep20", hash), `transaction confirmed in block ${await blockOf(hash)}`);
  assert.equal(await api.balance(merchant.id), 2n * USDT);
  assert.equal((await cursorOf("bep20"))!.height, await height(anvil.url));
  assert.deepEqual(await api.problems(), []);
});

test("a transaction without a block or enough confirmations is pending and not credited earlier", async () => {
  const hash = await sendEvmUsdt(anvil.url, await shown("bep20"), USDT);
  refused(await requery("bep20", hash), 404, PENDING);
  await mine(anvil.url);
  refused(await requery("bep20", hash), 404, PENDING);
  const [row] = await rowsOf(hash);
  assert.deepEqual([row!.status, row!.blockHeight], ["seen", await blockOf(hash)]);
  assert.equal(await api.balance(merchant.id), 0n);
  await mine(anvil.url, 3);
  reports(await requery("bep20", hash), `transaction confirmed in block ${await blockOf(hash)}`);
  assert.equal(await api.balance(merchant.id), USDT);
});

test("a transaction that pays the merchant nothing creditable was skipped", async () => {
  const nobody = await sendEvmUsdt(anvil.url, FAUCET.address, USDT);
  const theirs = await sendEvmUsdt(anvil.url, await shown("bep20", otherMerchant), USDT);
  await mine(anvil.url, 4);
  refused(await requery("bep20", nobody), 422, "transaction may have been skipped");
  refused(await requery("bep20", theirs), 422, "transaction may have been skipped");
  // The block was read for both.
  assert.equal(await api.balance(otherMerchant.id), USDT);
});

test("a requery records what the watcher missed for its own merchant, and nothing for another", async () => {
  await watch();
  const theirs = await shown("bep20", otherMerchant);
  const receivers = [await shown("bep20"), theirs].map((to) => ({ to, amount: USDT }));
  const hash = await payMany(anvil.url, receivers);
  await mine(anvil.url, 4);
  await skipToHead("bep20");
  const confirmed = `transaction confirmed in block ${await blockOf(hash)}`;
  reports(await requery("bep20", hash), confirmed);
  assert.deepEqual([await api.balance(merchant.id), await api.balance(otherMerchant.id)], [USDT, 0n]);
  reports(await requery("bep20", hash, otherMerchant.test), confirmed);
  assert.deepEqual([await api.balance(merchant.id), await api.balance(otherMerchant.id)], [USDT, USDT]);
  assert.deepEqual(await api.problems(), []);
});

test("a deposit that is held as unmatched was skipped", async () => {
  const { id, address } = await anAddress(db, adapterOf("bep20"), merchant.id);
  // The address of a deleted payment link has no purpose.
  await db.execute(`update addresses set purpose = 'payment_link' where id = ${id}`);
  const hash = await sendEvmUsdt(anvil.url, address, USDT);
  await mine(anvil.url, 4);
  refused(await requery("bep20", hash), 422, "transaction may have been skipped");
  assert.deepEqual(
    (await rowsOf(hash)).map(({ status, unmatchedReason }) => [status, unmatchedReason]),
    [["held", "no_purpose"]],
  );
  assert.equal(await api.balance(merchant.id), 0n);
  assert.deepEqual(await db.select().from(depositTotals).where(eq(depositTotals.addressId, id)), []);
  assert.deepEqual(await api.problems(), []);
});

test("money that came before its address was allocated is held, by a requery and by the watcher alike", async () => {
  await watch();
  const { id, address } = await anAddress(db, adapterOf("bep20"), merchant.id);
  // As if the wallet had been paid an hour before Paylink allocated the address.
  await db.execute(`update addresses set created_at = now() + interval '2 hours' where id = ${id}`);
  const missed = await sendEvmUsdt(anvil.url, address, 5n * USDT);
  await mine(anvil.url, 4);
  await skipToHead("bep20");
  refused(await requery("bep20", missed), 422, "transaction may have been skipped");
  const watched = await sendEvmUsdt(anvil.url, address, 5n * USDT);
  await mine(anvil.url, 4);
  await watch();
  for (const hash of [missed, watched]) {
    const [row] = await rowsOf(hash);
    assert.deepEqual([row!.status, row!.unmatchedReason], ["held", "before_allocation"]);
  }
  assert.equal(await api.balance(merchant.id), 0n);
  assert.deepEqual(await api.problems(), []);
});

test("finds a deposit whose recorded block was reorganized away in its new block", async () => {
  await watch();
  const hash = await sendEvmUsdt(anvil.url, await shown("bep20"), USDT);
  await mine(anvil.url, 1);
  refused(await requery("bep20", hash), 404, PENDING);
  await db
    .update(deposits)
    .set({ blockHash: `0x${"99".repeat(32)}`, status: "dropped" })
    .where(eq(deposits.txHash, hash));
  await mine(anvil.url, 3);
  const block = await blockOf(hash);
  reports(await requery("bep20", hash), `transaction confirmed in block ${block}`);
  assert.deepEqual(
    (await rowsOf(hash)).map(({ status, blockHeight }) => [status, blockHeight]),
    [["credited", block]],
  );
  assert.deepEqual(await api.problems(), []);
});

test("a reorg reverts a deposit that a requery credited", async () => {
  await watch();
  const { id, address } = await anAddress(db, adapterOf("bep20"), merchant.id);
  const hash = await sendEvmUsdt(anvil.url, address, USDT);
  await mine(anvil.url, 4);
  await skipToHead("bep20");
  reports(await requery("bep20", hash), `transaction confirmed in block ${await blockOf(hash)}`);
  await reorg(anvil.url, 5);
  await mine(anvil.url, 2);
  await watch();
  const [row] = await rowsOf(hash);
  assert.equal(row!.status, "dropped");
  assert.equal(await api.balance(merchant.id), 0n);
  const [total] = await db.select().from(depositTotals).where(eq(depositTotals.addressId, id));
  assert.equal(total!.total, 0n);
  assert.deepEqual(await api.problems(), []);
});

test("reports a failed action and credits nothing if the node does not return the block", async () => {
  await watch();
  const hash = await sendEvmUsdt(anvil.url, await shown("bep20"), USDT);
  await mine(anvil.url, 4);
  await skipToHead("bep20");
  let isPruned = false;
  fake.twist = ({ method }) => {
    isPruned ||= method === "eth_getLogs";
    if (isPruned && /Logs|Receipt/.test(method)) throw new Error("pruned");
    return undefined;
  };
  refused(await requery("bep20", hash), 502, "Action Failed");
  fake.twist = null;
  assert.deepEqual(await rowsOf(hash), []);
  reports(await requery("bep20", hash), `transaction confirmed in block ${await blockOf(hash)}`);
});

test("a listed network without a node is not available, any other is not supported", async () => {
  const hash = "ab".repeat(32);
  for (const network of ["erc20", "xrp", "solana", "litecoin"] as const) {
    refused(await requery(network, hash), 503, "network not available");
  }
  for (const network of ["dogecoin", "polygon", "BEP20", "%00", "%ED%A0%80"]) {
    const path = `/transaction/requery/${network}`;
    const answer = await api.send({ path, form: { tx_hash: hash }, key: merchant.test });
    refused(answer, 400, "network not supported");
  }
  refused(await requery("bep20", hash, merchant.live), 503, "network not available");
});

test("reads the hash from the body alone, and the network from the path alone", async () => {
  const { test: key } = merchant;
  const absent = "(tx_hash) not found in request body";
  for (const [network, json, message] of [
    ["bep20", { tx_hash: "" }, absent],
    ["bep20", { tx_hash: 1 }, "(tx_hash) must be a string"],
    ["foo", { network: "bep20" }, absent],
    ["foo", { tx_hash: 1, network: "bep20" }, "network not supported"],
    ["", { tx_hash: "ab" }, "network not found in params"],
  ] as const)
    refused(await api.send({ path: `/transaction/requery/${network}`, json, key }), 400, message);
  const withoutSlash = { path: "/transaction/requery", json: { tx_hash: "ab" }, key };
  refused(await api.send(withoutSlash), 400, "network not found in params");
});

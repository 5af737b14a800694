/**
 * Endpoint 7, POST /transaction/requery/:network, on each family of networks (TRON: our emulator of a node).
 */
import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { NETWORKS } from "#lib/chains/networks.ts";
import { NO_POSITION } from "#lib/chains/transfers.ts";
import { FAUCET, mine, rpc, startTestChain, USDT_ADDRESS } from "#tests/support/anvil.ts";
import type { TestMerchant } from "#tests/support/api.ts";
import { bitcoinNetwork } from "#tests/support/bitcoin-adapter.ts";
import { openBitcoin, shareBitcoind } from "#tests/support/bitcoind.ts";
import { refused, successOf } from "#tests/support/says.ts";
import {
  newAccount,
  payTrc10,
  payTrx,
  payUsdt,
  startTronEmulator,
  trc20,
  wallet,
} from "#tests/support/tron.ts";
import { bep20, evmNetwork, USDT } from "#tests/support/watched-chain.ts";
import { PENDING, startRequeryApi } from "./requery.ts";

const [anvil, baseNode] = [await startTestChain("bep20"), await startTestChain("base")];
const bitcoind = await shareBitcoind();
const bitcoin = openBitcoin(bitcoind.url);
const tron = await startTronEmulator({ automine: false, solidifiedLag: 2 });
const bench = await startRequeryApi(
  bep20(anvil.url),
  evmNetwork("base", [baseNode.url], { usdt: USDT_ADDRESS }),
  bitcoinNetwork(bitcoind.url),
  trc20(tron),
);
const { api, requery, reports, shown, rowsOf, watch, skipToHead } = bench;
after(() => Promise.all([anvil.kill(), baseNode.kill(), tron.stop()]));
let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await api.merchant();
  bench.asking.merchant = merchant;
});

for (const [network, url, blocks] of [
  ["bep20", anvil.url, 3],
  ["base", baseNode.url, 20],
] as const) {
  test(`${network}: credits a missed transfer of its own coin, without a position, once its block is final`, async () => {
    await watch(network);
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
    assert.deepEqual(
      [row!.status, row!.token, row!.amount],
      ["credited", NETWORKS[network].coin, 10n ** 18n],
    );
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

test("bitcoin: a transaction in the mempool is pending; missed in a block it is credited", async () => {
  await watch("bitcoin");
  const txid = await bitcoin.sendTo(await shown("bitcoin"), "0.5");
  refused(await requery("bitcoin", txid), 404, PENDING);
  await bitcoin.mine(2);
  await skipToHead("bitcoin");
  const at = (await bitcoin.height()) - 1;
  // A payment to the merchant's own address needs the most confirmations.
  refused(await requery("bitcoin", txid), 404, PENDING);
  assert.equal(await api.balance(merchant.id), 0n);
  await bitcoin.mine(4);
  reports(await requery("bitcoin", txid.toUpperCase()), `transaction confirmed in block ${at}`);
  assert.equal(await api.balance(merchant.id), 50_000_000n);
  assert.deepEqual(await api.problems(), []);
});

test("trc20: credits a missed transfer once its block is solidified; reports a failed transaction", async () => {
  await watch("trc20");
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

test("trc20: records and credits TRX that the watcher missed, once, at its position", async () => {
  await watch("trc20");
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
    ["trx", 12_345_678n, NO_POSITION, "credited", merchant.id],
  );
  assert.equal(await api.balance(merchant.id), 12_345_678n);
  const named = await payTrc10(tron, await shown("trc20"), 12_345_678);
  await tron.mine(3);
  refused(await requery("trc20", named), 422, "transaction may have been skipped");
  assert.deepEqual(await api.problems(), []);
});

test("does not find unknown or malformed hashes", async () => {
  for (const network of ["bep20", "bitcoin", "trc20"] as const) {
    for (const hash of ["ab".repeat(32), `0x${"ab".repeat(32)}`, "nonsense", "\0", "x".repeat(9_000)]) {
      refused(await requery(network, hash), 404, PENDING);
    }
  }
});

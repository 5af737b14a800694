/**
 * Answers of dogecoind 1.14 that differ from newer nodes (its rpc/blockchain.cpp, rpc/rawtransaction.cpp),
 * from a fake in front of a bitcoind. No dogecoind is available.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { STAND_IN, STAND_IN_CHAIN, shareStandIn } from "#tests/chains/contract/drivers/dogecoin.ts";
import { owning, utxoNetwork } from "#tests/support/bitcoin-adapter.ts";
import { type Bitcoin, openBitcoin, type SharedNode } from "#tests/support/bitcoind.ts";
import { type FakeNode, startFakeNode, type Twist } from "#tests/support/fake-node.ts";
import { waitingTransfers } from "#tests/support/waiting-transfers.ts";

let node: SharedNode;
let dogecoin: Bitcoin;
let fake: FakeNode;
let adapter: NetworkAdapter;

interface Output {
  scriptPubKey: { address?: string; addresses?: string[] };
}

/** Its usage text, which it sends when it does not know the parameters. */
function usage(method: string): never {
  throw Object.assign(new Error(`${method} …`), { code: -1 });
}

const asDogecoind: Twist = async ({ method, params }, pass) => {
  if (method === "getblock" && typeof params[1] !== "boolean") usage(method);
  if (method === "getrawmempool" && params.length > 1) usage(method);
  if (method === "getmempoolinfo") {
    const { size, bytes, usage: used } = (await pass()) as Record<string, number>;
    return { size, bytes, usage: used, maxmempool: 300_000_000, mempoolminfee: 0.001 };
  }
  if (method === "estimatesmartfee") return { feerate: -1, blocks: Number(params[0]) };
  if (method !== "getrawtransaction") return undefined;
  if (params.length > 2) usage(method);
  if (params[1] !== true) return undefined;
  const transaction = (await pass()) as { vout: Output[] } | null;
  if (!transaction) return undefined;
  const vout = transaction.vout.map(({ scriptPubKey, ...output }) => {
    const { address, ...script } = scriptPubKey;
    return { ...output, scriptPubKey: { ...script, ...(address ? { addresses: [address] } : {}) } };
  });
  return { ...transaction, vout };
};

before(async () => {
  node = await shareStandIn({ txindex: true });
  dogecoin = openBitcoin(node.url, STAND_IN_CHAIN);
  fake = await startFakeNode(node.url);
  fake.twist = asDogecoind;
  adapter = utxoNetwork(STAND_IN, fake.url).all()[0]!;
});
after(() => fake.close());

test("finds payments waiting and in blocks, and reads their receivers, from dogecoind's answers", async () => {
  const { address } = adapter.addresses.derive(0);
  assert.match(address, /^[mn]/);
  const txHash = await dogecoin.sendTo(address, "12.5");
  const paid = { txHash, address, amount: 1_250_000_000n };
  await adapter.blocks.checkIdentity();
  assert.partialDeepStrictEqual(await waitingTransfers(adapter, owning(address)), [paid]);
  assert.deepEqual(await adapter.transactions!.fetchStatus(txHash), { kind: "pending" });
  assert.equal((await adapter.transactions!.fetchPayments(txHash))!.block, null);

  await dogecoin.mine();
  const { height, hash } = await adapter.blocks.fetchHead();
  const { transfers } = await adapter.blocks.scan({ from: height, to: height }, owning(address));
  assert.partialDeepStrictEqual(transfers, [paid]);
  for (const recordedBlock of [null, hash]) {
    const confirmed = { kind: "confirmed", blockHeight: height, blockHash: hash };
    assert.deepEqual(await adapter.transactions!.fetchStatus(txHash, recordedBlock), confirmed);
    const { block, payments } = (await adapter.transactions!.fetchPayments(txHash, recordedBlock))!;
    assert.deepEqual(block, { height, hash });
    const ours = payments!.filter((payment) => payment.address === address);
    assert.deepEqual(
      ours.map(({ token, amount }) => [token, amount]),
      [["doge", 1_250_000_000n]],
    );
    assert.ok((await adapter.transactions!.fetchRecord(txHash, recordedBlock))?.json.includes(txHash));
  }
  assert.ok(fake.calls.some(({ method }) => method === "getblock"));
});

test("shows a transaction with the node's exact amounts, which no float can hold", async () => {
  const txHash = await dogecoin.sendTo(adapter.addresses.derive(1).address, "1");
  const amount = "1234567890.12345678";
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };
  fake.twist = ({ method }) =>
    method === "getrawtransaction" ? { txid: txHash, vout: [{ value: rawJSON(amount) }] } : undefined;
  const { json } = (await adapter.transactions!.fetchRecord(txHash))!;
  fake.twist = null;
  assert.ok(json.includes(`"value":${amount}}`), json);
});

test("the fee is that of a P2PKH payment, and at least dogecoin's minimum", async () => {
  const fee = await adapter.feeRates!.fetch();
  const rate = 1_000;
  assert.deepEqual(fee, {
    kind: "per_byte",
    coin: "doge",
    fee: 226_000n,
    virtualBytes: 226,
    rates: { fastest: rate, halfHour: rate, hour: rate, economy: rate, minimum: rate },
  });
});

test("the operators' data refuses a bitcoin node, only this test's data accepts it", async () => {
  const [configured] = utxoNetwork(NETWORKS.dogecoin, node.url).all();
  await assert.rejects(configured!.blocks.checkIdentity(), {
    kind: "wrong_chain",
    message: "the node is on another chain, not on regtest",
  });
});

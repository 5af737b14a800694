/**
 * Litecoin with an active extension block (MWEB) on a real litecoind: coins go in, move inside and come out,
 * together with payments to us, in the mempool and in blocks.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import type { ChainTransfer } from "#lib/chains/transfers.ts";
import { owning, utxoNetwork } from "#tests/support/bitcoin-adapter.ts";
import {
  type Bitcoin,
  type BitcoindNode,
  LITECOIN_REGTEST,
  openBitcoin,
  startLitecoind,
} from "#tests/support/bitcoind.ts";
import { waitingTransfers } from "#tests/support/waiting-transfers.ts";

/** The last block before the extension is active. The next one must move coins into it. */
const LAST_PLAIN = 431;
const LTC = 100_000_000n;
/** The default of a private chain: active from Litecoin Core's start time on, without an end. */
const IN_FORCE = "vbparams=mweb:1601450001:9223372036854775807";

let node: BitcoindNode;
let litecoin: Bitcoin;
let adapter: NetworkAdapter;
/** A wallet with all its coins in the extension block. */
let hidden: Bitcoin;
let next = 0;

async function startExtended(...configuration: string[]): Promise<BitcoindNode> {
  const started = await startLitecoind({ configuration: [IN_FORCE, ...configuration] });
  const chain = openBitcoin(started.url, LITECOIN_REGTEST);
  await chain.mine(LAST_PLAIN - (await chain.height()));
  return started;
}

const walletOf = (started: BitcoindNode, name: string) =>
  openBitcoin(`${started.url}wallet/${name}`, LITECOIN_REGTEST);
const adapterOf = (started: BitcoindNode) => utxoNetwork(NETWORKS.litecoin, started.url).all()[0]!;
const newAddress = () => adapter.addresses.derive(next++).address;
const scanTip = async (address: string) => {
  const { height } = await adapter.blocks.fetchHead();
  return (await adapter.blocks.scan({ from: height, to: height }, owning(address))).transfers;
};
const summary = (transfers: readonly ChainTransfer[]) =>
  transfers.map(({ txHash, position, amount }) => [txHash, position, amount]);

before(async () => {
  node = await startExtended();
  litecoin = walletOf(node, "faucet");
  await litecoin.call("createwallet", "hidden");
  hidden = walletOf(node, "hidden");
  adapter = adapterOf(node);
});
after(() => node.stop());

test("sees a payment waiting and in its block when the transaction also pays into the extension block", async () => {
  const address = newAddress();
  const inside = await hidden.call<string>("getnewaddress", "", "mweb");
  const goingIn = await litecoin.call<string>("sendtoaddress", inside, "20");
  const paid = await litecoin.sendTo(address, "1.5");
  const waiting = await waitingTransfers(adapter, owning(address));
  assert.deepEqual(
    waiting.map(({ txHash, amount }) => [txHash, amount]),
    [[paid, (3n * LTC) / 2n]],
  );
  const { payments, inconclusiveToken, spends } = (await adapter.transactions!.fetchPayments(goingIn))!;
  assert.equal(inconclusiveToken, "ltc");
  // The output into the extension block has no address. Its use there is not visible.
  assert.deepEqual(
    payments!.map((payment) => payment.address),
    [null],
  );
  assert.equal(spends.length, 1);

  await litecoin.mine();
  const { height, hash } = await adapter.blocks.fetchHead();
  assert.equal(height, LAST_PLAIN + 1);
  assert.ok((await litecoin.call<{ mweb?: object }>("getblock", hash, 2)).mweb, "the block has an extension");
  assert.deepEqual(
    (await scanTip(address)).map(({ txHash, amount }) => [txHash, amount]),
    [[paid, (3n * LTC) / 2n]],
  );
  const confirmed = { kind: "confirmed", blockHeight: height, blockHash: hash };
  assert.deepEqual(await adapter.transactions!.fetchStatus(paid), confirmed);
  // Its only output is spent in the block: without an index the block must be known.
  assert.deepEqual(await adapter.transactions!.fetchStatus(goingIn, hash), confirmed);
  const settled = await adapter.transactions!.fetchPayments(goingIn, hash);
  assert.deepEqual([settled?.block?.hash, settled?.inconclusiveToken], [hash, "ltc"]);
  assert.equal((await adapter.transactions!.fetchPayments(paid, hash))?.inconclusiveToken, null);
});

test("a transaction inside the extension block hides no other waiting one, and has no visible receiver", async () => {
  await litecoin.mine(6);
  const address = newAddress();
  const inside = await litecoin.call<string>("getnewaddress", "", "mweb");
  const moved = await hidden.call<string>("sendtoaddress", inside, "1");
  const { vin, vout } = await litecoin.call<Record<"vin" | "vout", { ismweb: boolean }[]>>(
    "getrawtransaction",
    moved,
    true,
  );
  assert.ok([...vin, ...vout].every(({ ismweb }) => ismweb));
  const paid = await litecoin.sendTo(address, "2");
  const waiting = await waitingTransfers(adapter, owning(address));
  assert.deepEqual(
    waiting.map(({ txHash, amount }) => [txHash, amount]),
    [[paid, 2n * LTC]],
  );
  assert.deepEqual(await adapter.transactions!.fetchPayments(moved), {
    ...{ block: null, failed: false, payments: [], spends: [] },
    inconclusiveToken: "ltc",
  });
  assert.ok((await adapter.transactions!.fetchRecord(moved))?.json.includes(moved));
  await litecoin.mine();
  assert.deepEqual(
    (await scanTip(address)).map(({ txHash }) => txHash),
    [paid],
  );
});

test("finds coins that leave the extension block in the block's last transaction, and again after a reorg", async () => {
  const address = newAddress();
  const sent = await hidden.call<string>("sendtoaddress", address, "3.25");
  // Until a block includes it, no output is readable.
  assert.deepEqual(await waitingTransfers(adapter, owning(address)), []);
  const lastOf = async (hash: string) => (await litecoin.call<{ tx: string[] }>("getblock", hash)).tx.at(-1)!;
  await litecoin.mine();
  const { height, hash } = await adapter.blocks.fetchHead();
  const last = await lastOf(hash);
  assert.notEqual(last, sent);
  assert.deepEqual(summary(await scanTip(address)), [[last, 1, (13n * LTC) / 4n]]);
  assert.deepEqual(await adapter.transactions!.fetchStatus(last), {
    kind: "confirmed",
    blockHeight: height,
    blockHash: hash,
  });
  const { payments } = (await adapter.transactions!.fetchPayments(last))!;
  assert.deepEqual(payments!.map((payment) => [payment.address, payment.position, payment.amount])[1], [
    address,
    1,
    (13n * LTC) / 4n,
  ]);

  await litecoin.invalidate(hash);
  // To another address than before, otherwise it would be the same block.
  await litecoin.mine(2, await litecoin.call("getnewaddress"));
  const after = await adapter.blocks.scan({ from: height, to: height + 1 }, owning(address));
  const [again, ...more] = after.transfers;
  assert.deepEqual([again?.amount, again?.position, more], [(13n * LTC) / 4n, 1, []]);
  assert.notEqual(again?.block?.hash, hash);
});

test("reads a node that is configured to leave the extension out", async () => {
  const without = await startExtended("rpcserialversion=1");
  try {
    const chain = walletOf(without, "faucet");
    const reading = adapterOf(without);
    const address = newAddress();
    await chain.call("sendtoaddress", await chain.call("getnewaddress", "", "mweb"), "5");
    const paid = await chain.sendTo(address, "1");
    assert.deepEqual(
      (await waitingTransfers(reading, owning(address))).map(({ txHash }) => txHash),
      [paid],
    );
    await chain.mine(2);
    const range = { from: LAST_PLAIN, to: LAST_PLAIN + 2 };
    const { transfers } = await reading.blocks.scan(range, owning(address));
    assert.deepEqual(
      transfers.map(({ txHash }) => txHash),
      [paid],
    );
    const block = await chain.call<{ tx: { hex: string }[] }>("getblock", await chain.tip(), 2);
    // After the four bytes of the version: the marker 00 and the flag 08 of the extension.
    const flags = block.tx.map(({ hex }) => hex.slice(8, 12));
    assert.ok(flags.length > 0 && !flags.includes("0008"), flags.join(" "));
  } finally {
    await without.stop();
  }
});

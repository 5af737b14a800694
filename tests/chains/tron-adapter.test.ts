import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { TronEmulatorOptions } from "#lib/demo/tron-emulator/start-tron-emulator.ts";
import { type AddressFilter, type NetworkAdapter, NodeError } from "#lib/networks/network.ts";
import {
  newAccount,
  payMany,
  payUsdt,
  startTronEmulator,
  trc20Adapter,
  USDT,
  wallet,
} from "#tests/support/tron.ts";

async function open(t: TestContext, options: TronEmulatorOptions = {}) {
  const emulator = await startTronEmulator({ automine: false, solidifiedLag: 2, ...options });
  t.after(() => emulator.stop());
  const adapter = trc20Adapter(emulator);
  return { emulator, adapter };
}

const only =
  (...mine: string[]): AddressFilter =>
  async (asked) =>
    new Set(asked.filter((address) => mine.includes(address)));

async function scanAll(adapter: NetworkAdapter, ...mine: string[]) {
  const { height } = await adapter.head();
  return (await adapter.scan({ from: 1, to: height }, only(...mine))).transfers;
}

const fails = (work: () => Promise<unknown>, kind: NodeError["kind"]) =>
  assert.rejects(work, (error) => error instanceof NodeError && error.kind === kind);

test("a payment by a stock tronweb is seen with its block, and final once that is solidified", async (t) => {
  const { emulator, adapter } = await open(t);
  await adapter.checkIdentity();
  const { address } = adapter.deriveAddress(3);
  const txHash = await payUsdt(emulator, address, 2_500_000);
  assert.deepEqual(await adapter.verdict(txHash), { kind: "unknown" });
  assert.deepEqual(await adapter.scanMempool(only(address)), []);
  await emulator.mine();

  const head = await adapter.head();
  const [transfer, ...others] = await scanAll(adapter, address);
  assert.deepEqual(others, []);
  const block = await wallet(emulator).trx.getBlockByNumber(head.height);
  assert.deepEqual(transfer, {
    txHash,
    position: 0,
    token: "usdt",
    address,
    sender: emulator.faucet.address,
    amount: (5n * USDT) / 2n,
    block: {
      height: head.height,
      hash: `0x${block.blockID}`,
      time: new Date(block.block_header.raw_data.timestamp),
    },
    spends: [],
    unmatchedReason: null,
  });
  assert.equal(head.hash, await adapter.blockHash(head.height));
  const confirmed = { kind: "confirmed", blockHeight: head.height, blockHash: head.hash };
  for (const written of [txHash, `0x${txHash}`, txHash.toUpperCase()]) {
    assert.deepEqual(await adapter.verdict(written), confirmed);
  }
  assert.equal(head.finalizedHeight, head.height - 2);
  await emulator.mine(2);
  assert.equal((await adapter.head()).finalizedHeight, head.height);
  assert.equal(await adapter.blockHash(1_000), null);
});

test("a range or an answer too large for the node is halved until it answers, and nothing is missed", async (t) => {
  const { emulator, adapter } = await open(t, { limits: { maxBlockRange: 10, maxResults: 6 } });
  const { address } = adapter.deriveAddress(0);
  let paid = 0;
  for (let round = 0; round < 12; round++) {
    const payees = Array<string>(1 + (round % 6)).fill(address);
    await payMany(emulator, payees, 1_000_000);
    paid += payees.length;
    await emulator.mine(1 + (round % 3) * 4);
  }
  const transfers = await scanAll(adapter, address);
  assert.equal(transfers.length, paid);
  assert.equal(new Set(transfers.map(({ txHash, position }) => `${txHash}:${position}`)).size, paid);
});

test("a node of another chain, and a token with other decimals, are refused", async (t) => {
  const shasta = await open(t, { chainId: 0x94a9059e });
  await fails(() => shasta.adapter.checkIdentity(), "wrong_chain");
  const { emulator } = await open(t);
  const other = await emulator.deployOtherToken(18);
  await fails(() => trc20Adapter({ url: emulator.url, usdt: other }).checkIdentity(), "wrong_chain");
  const none = newAccount().address;
  await assert.rejects(trc20Adapter({ url: emulator.url, usdt: none }).checkIdentity(), NodeError);
});

test("the node's URL may name its JSON-RPC itself", async (t) => {
  const { emulator } = await open(t);
  for (const path of ["/", "/jsonrpc", "/jsonrpc/"]) {
    const adapter = trc20Adapter({ url: `${emulator.url}${path}`, usdt: emulator.usdt });
    await adapter.checkIdentity();
  }
});

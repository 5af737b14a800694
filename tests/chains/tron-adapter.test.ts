import assert from "node:assert/strict";
import { test } from "node:test";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import type { Twist } from "#tests/support/fake-node.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import { newAccount, payMany, payUsdt, trc20Adapter, USDT, wallet } from "#tests/support/tron.ts";
import { waitingTransfers } from "#tests/support/waiting-transfers.ts";
import { openBehindFake, openReader, scanAll } from "./tron-reader.ts";

test("does not take a log for a payment whose transaction failed", async (t) => {
  const { emulator, fake, adapter, address } = await openBehindFake(t);
  await payUsdt(emulator, address, 1_000_000);
  await emulator.mine();
  fake.twist = async ({ method }, pass) =>
    method === "eth_getTransactionReceipt" ? { ...((await pass()) as object), status: "0x0" } : undefined;
  assert.deepEqual(await scanAll(adapter, address), []);
  fake.twist = ({ method }) => (method === "eth_getTransactionReceipt" ? null : undefined);
  await assert.rejects(scanAll(adapter, address), isNodeError("inconsistent"));
  fake.twist = null;
  assert.equal((await scanAll(adapter, address)).length, 1);
});

test("finds every payment, whatever an index of logs lacks, also after one that it has", async (t) => {
  const { emulator, fake, adapter, address } = await openBehindFake(t);
  const first = (await adapter.blocks.fetchHead()).height + 1;
  const sent: string[] = [];
  for (let i = 0; i < 8; i++) {
    sent.push(await payUsdt(emulator, address, 1_000_000 + i));
    await emulator.mine(5);
  }
  const { height: to } = await adapter.blocks.fetchHead();
  const faults: Readonly<Record<string, Twist | null>> = {
    none: null,
    "off, and then on: without a filter there are logs (tests/chains/recorded/java-tron-log-index-off.json)":
      ({ method, params }) =>
        method === "eth_getLogs" && (params[0] as object) && "topics" in (params[0] as object)
          ? []
          : undefined,
    "no logs at all": ({ method }) => (method === "eth_getLogs" ? [] : undefined),
    "a gap": async ({ method, params }, pass) => {
      if (method !== "eth_getLogs" || !("topics" in (params[0] as object))) return undefined;
      const logs = (await pass()) as { blockNumber: string }[];
      return logs.filter(
        (log) => Number(log.blockNumber) < first + 9 || Number(log.blockNumber) > first + 31,
      );
    },
  };
  for (const [name, twist] of Object.entries(faults)) {
    fake.twist = twist;
    const { transfers } = await adapter.blocks.scan({ from: first, to }, owning(address));
    assert.deepEqual(
      transfers.map(({ txHash }) => txHash),
      sent,
      name,
    );
  }
  const { height } = await adapter.blocks.fetchHead();
  fake.calls.length = 0;
  assert.deepEqual((await adapter.blocks.scan({ from: height, to: height }, owning(address))).transfers, []);
  const asked = fake.calls.filter(({ method }) => method === "eth_getLogs").length;
  assert.equal(asked, 0, "a block without calls has no logs");
});

test("refuses a node whose logs and receipts both lack what its block pays", async (t) => {
  const { emulator, fake, adapter, address } = await openBehindFake(t);
  await payUsdt(emulator, address, 1_000_000);
  await emulator.mine();
  fake.twist = ({ method }) => {
    if (method === "eth_getLogs") return [];
    return method === "eth_getTransactionReceipt" ? null : undefined;
  };
  await assert.rejects(scanAll(adapter, address), isNodeError("inconsistent"));
});

test("sees a payment by a stock tronweb with its block, final once the block is solidified", async (t) => {
  const { emulator, adapter } = await openReader(t);
  await adapter.blocks.checkIdentity();
  const { address } = adapter.addresses.derive(3);
  const txHash = await payUsdt(emulator, address, 2_500_000);
  assert.deepEqual(await adapter.transactions!.fetchStatus(txHash), { kind: "pending" });
  assert.deepEqual(await waitingTransfers(adapter, owning(address)), []);
  await emulator.mine();

  const head = await adapter.blocks.fetchHead();
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
  assert.equal(head.hash, await adapter.blocks.fetchHash(head.height));
  const confirmed = { kind: "confirmed", blockHeight: head.height, blockHash: head.hash };
  for (const written of [txHash, `0x${txHash}`, txHash.toUpperCase()]) {
    assert.deepEqual(await adapter.transactions!.fetchStatus(written), confirmed);
  }
  assert.equal(head.finalizedHeight, head.height - 2);
  await emulator.mine(2);
  assert.equal((await adapter.blocks.fetchHead()).finalizedHeight, head.height);
  assert.equal(await adapter.blocks.fetchHash(1_000), null);
});

test("halves a range or an answer that is too large for the node until it answers, and misses nothing", async (t) => {
  const { emulator, adapter } = await openReader(t, { limits: { maxBlockRange: 10, maxResults: 6 } });
  const { address } = adapter.addresses.derive(0);
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

test("refuses a node of another chain, and a token with other decimals", async (t) => {
  const shasta = await openReader(t, { chainId: 0x94a9059e });
  await assert.rejects(shasta.adapter.blocks.checkIdentity(), isNodeError("wrong_chain"));
  const { emulator } = await openReader(t);
  const other = await emulator.deployOtherToken(18);
  await assert.rejects(
    trc20Adapter({ url: emulator.url, usdt: other }).blocks.checkIdentity(),
    isNodeError("wrong_chain"),
  );
  const none = newAccount().address;
  await assert.rejects(trc20Adapter({ url: emulator.url, usdt: none }).blocks.checkIdentity(), isNodeError());
});

test("accepts a node URL that points at its JSON-RPC", async (t) => {
  const { emulator } = await openReader(t);
  for (const path of ["/", "/jsonrpc", "/jsonrpc/"]) {
    const adapter = trc20Adapter({ url: `${emulator.url}${path}`, usdt: emulator.usdt });
    await adapter.blocks.checkIdentity();
  }
});

test("says what a payer without staked TRX pays for a transfer of USDT", async (t) => {
  const { adapter } = await openReader(t);
  // 130,285 energy at the emulator's 100 sun, and 345 bytes at 1,000 sun.
  assert.deepEqual(await adapter.fees!.fetchTransferFee(), { coin: "trx", fee: 13_373_500n });
});

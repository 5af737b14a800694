import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import {
  deployOtherToken,
  FAUCET,
  height,
  mine,
  openTestChain,
  rpc,
  sendEvmToken,
  sendEvmUsdt,
} from "#tests/support/anvil.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import { newAccount, openTestTron, payUsdt, trc20Adapter } from "#tests/support/tron.ts";
import { bep20 } from "#tests/support/watched-chain.ts";

const OURS = "0x00000000000000000000000000000000000000aa";
const THEIRS = "0x00000000000000000000000000000000000000bb";

async function open(t: TestContext) {
  const node = await openTestChain(t);
  const token = await deployOtherToken(node.url);
  const fake = await openFakeNode(t, node.url);
  const send = (to: string, amount: bigint) => sendEvmToken(node.url, token, to, amount);
  return { node, fake, token, send, adapter: bep20(fake.url).find("test", "bep20")! };
}

const search = async (adapter: NetworkAdapter, to: number, ...addresses: string[]) =>
  (await adapter.unlistedTokens!.scan({ from: 1, to }, addresses)).map(({ block, ...rest }) => ({
    ...rest,
    height: block.height,
  }));

test("finds only unlisted tokens to the requested addresses", async (t) => {
  const { node, token, send, adapter } = await open(t);
  const hash = await send(OURS, 7n);
  await send(THEIRS, 8n);
  await sendEvmUsdt(node.url, OURS, 9n);
  await mine(node.url);
  const at = await height(node.url);
  const found = { txHash: hash, contract: token, address: OURS, sender: FAUCET.address, rawAmount: 7n };
  const [transfer, ...more] = await search(adapter, at, OURS);
  assert.deepEqual({ ...transfer, position: 0 }, { ...found, position: 0, height: at });
  assert.deepEqual(more, []);
});

test("asks for a thousand addresses in one call, and in halves when it is refused", async (t) => {
  const { node, fake, send, adapter } = await open(t);
  await send(OURS, 1n);
  await mine(node.url, 100);
  await send(OURS, 2n);
  await mine(node.url);
  const addresses = Array.from({ length: 999 }, (_, i) => `0x${i.toString(16).padStart(40, "1")}`);
  const asked = () => fake.calls.filter(({ method }) => method === "eth_getLogs").length;
  const amounts = async () =>
    (await search(adapter, await height(node.url), OURS, ...addresses)).map(({ rawAmount }) => rawAmount);
  assert.deepEqual(await amounts(), [1n, 2n]);
  assert.equal(asked(), 1);
  fake.twist = ({ method, params }) => {
    const [filter] = params as [{ fromBlock: string; toBlock: string }];
    if (method !== "eth_getLogs" || Number(filter.toBlock) - Number(filter.fromBlock) < 30) return undefined;
    throw new Error("query returned more than 10000 results");
  };
  assert.deepEqual(await amounts(), [1n, 2n]);
});

test("refuses a node that has not reached the range or sends what was not requested", async (t) => {
  const { node, fake, send, adapter } = await open(t);
  await send(OURS, 1n);
  await mine(node.url);
  const at = await height(node.url);
  await assert.rejects(search(adapter, at + 1, OURS), isNodeError("inconsistent"));
  const all = await rpc(node.url, "eth_getLogs", [{ fromBlock: "0x1", toBlock: "latest" }]);
  fake.twist = ({ method }) => (method === "eth_getLogs" ? all : undefined);
  await assert.rejects(search(adapter, at, THEIRS), isNodeError("inconsistent"));
});

test("finds another token on TRON by its base58 addresses", async (t) => {
  const emulator = await openTestTron(t);
  const adapter = trc20Adapter(emulator);
  const { address } = newAccount();
  const other = await emulator.deployOtherToken();
  await emulator.mine();
  const txHash = await payUsdt({ ...emulator, usdt: other }, address, 5);
  await payUsdt(emulator, address, 6);
  await emulator.mine(3);
  const { height: at, finalizedHeight } = await adapter.blocks.fetchHead();
  const [found, ...more] = await search(adapter, finalizedHeight ?? at, address);
  assert.deepEqual(
    [found!.txHash, found!.contract, found!.address, found!.sender, found!.rawAmount],
    [txHash, other, address, emulator.faucet.address, 5n],
  );
  assert.deepEqual(more, []);
});

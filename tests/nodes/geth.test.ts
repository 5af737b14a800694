/** Limits of go-ethereum that anvil does not have, and its gas cap. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startGethNode } from "#tests/nodes/evm-nodes/evm-node.ts";
import { height, mine, payUsdt, sendEvmUsdt, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import { evmNetwork } from "#tests/support/watched-chain.ts";

const { NODES_GETH: program } = process.env;
const OURS = "0x00000000000000000000000000000000000000aa";

async function open(t: TestContext, flags: readonly string[] = []) {
  const node = await startGethNode(String(program), "bep20", flags);
  t.after(() => node.kill());
  const adapter = evmNetwork("bep20", [node.rpcUrl], { usdt: USDT_ADDRESS }).find("test", "bep20")!;
  return { ...node, adapter };
}

const LIMITS = [
  ["--rpc.batch-request-limit", "10"],
  ["--rpc.batch-request-limit", "2"],
  ["--rpc.batch-response-max-size", "20000"],
  ["--rpc.batch-response-max-size", "3000"],
  ["--rpc.rangelimit", "5"],
] as const;

if (program !== undefined) {
  for (const flags of LIMITS) {
    test(`finds every payment on a geth with ${flags.join(" ")}`, async (t) => {
      const { url, adapter, deployUsdt } = await open(t, flags);
      await deployUsdt(18);
      const from = (await height(url)) + 1;
      const sent: string[] = [];
      for (let i = 0; i < 3; i++) {
        sent.push(await sendEvmUsdt(url, OURS, 1n));
        await mine(url, 20);
      }
      const { transfers } = await adapter.blocks.scan({ from, to: await height(url) }, owning(OURS));
      assert.deepEqual(
        transfers.map(({ txHash }) => txHash),
        sent,
      );
      assert.equal((await adapter.blocks.fetchHead()).height, await height(url));
    });
  }

  test("reads the most transfers that one transaction can make, and 1,000 are above its gas cap", async (t) => {
    const { url, adapter, deployUsdt } = await open(t);
    await deployUsdt(18);
    await mine(url, 3);
    const pay = (receivers: readonly string[]) =>
      payUsdt(
        url,
        receivers.map((to) => ({ to, amount: 1n })),
      );
    const strangers = Array.from({ length: 1_000 }, (_, i) => `0x${(i + 1).toString(16).padStart(40, "0")}`);
    await assert.rejects(pay(strangers), /gas/);
    const hash = await pay(Array.from({ length: 300 }, () => OURS));
    await mine(url);
    const at = await height(url);
    const { transfers } = await adapter.blocks.scan({ from: at, to: at }, owning(OURS));
    assert.deepEqual(
      transfers.map(({ txHash, position }) => [txHash, position]),
      Array.from({ length: 300 }, (_, i) => [hash, i]),
    );
  });

  test("takes a chain without a final block for one that is not final yet", async (t) => {
    const { url, adapter, deployUsdt } = await open(t);
    await deployUsdt(18);
    const { height: at, finalizedHeight } = await adapter.blocks.fetchHead();
    assert.equal(at, await height(url));
    assert.ok(finalizedHeight === null || finalizedHeight <= 0, String(finalizedHeight));
  });
}

/** A server whose chain has fewer blocks than what was read: it is followed when it has more work, and only then. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ElectrumChain, HARDER_BITS } from "#tests/simulation/electrum/electrum-chain.ts";
import { ModelServer } from "#tests/simulation/electrum/model-server.ts";
import { Random } from "#tests/simulation/random.ts";
import { electrumNetwork } from "#tests/support/electrum-world.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import { until } from "#tests/support/until.ts";

/** Four blocks that were read. `shorten` replaces the two newest ones by one with these bits, and waits until that is read. */
async function open(t: TestContext) {
  const chain = new ElectrumChain();
  for (let i = 0; i < 4; i++) chain.mine([]);
  const server = new ModelServer(chain, new Random(1));
  const [adapter] = electrumNetwork([await server.listen()]).all();
  t.after(() => server.close());
  const { blocks } = adapter!;
  const { height, hash } = await blocks.fetchHead();
  assert.equal(height, 4);
  return {
    blocks,
    read: { height, hash },
    async shorten(bits?: number) {
      chain.state = { ...chain.state, blocks: chain.state.blocks.slice(0, 3) };
      chain.mine([], bits);
      server.update();
      await until("the shorter chain", async () => (await blocks.fetchHead()).height === 3);
    },
    /** Opens a node for a pass that continues from this block. */
    continueFrom: (lastBlock: { height: number; hash: string }) =>
      adapter!.nodes.withOne({ lastBlock }, async (reader) => {
        const head = await reader.blocks.fetchHead();
        return { height: head.height, hasMoreWork: await reader.blocks.hasMoreWork(lastBlock) };
      }),
  };
}

test("an Electrum server on a chain of fewer blocks and more work is followed", async (t) => {
  const { blocks, read, shorten, continueFrom } = await open(t);
  await shorten(HARDER_BITS);
  assert.deepEqual(await continueFrom(read), { height: 3, hasMoreWork: true });
  const shared = { height: 2, hash: (await blocks.fetchHash(2))! };
  assert.equal(await blocks.hasMoreWork(shared), false, "both chains have it");
});

test("an Electrum server on a chain of fewer blocks and less work is behind", async (t) => {
  const { blocks, read, shorten, continueFrom } = await open(t);
  await shorten();
  await assert.rejects(continueFrom(read), isNodeError("behind"));
  assert.equal(await blocks.hasMoreWork(read), false);
});

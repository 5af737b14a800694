/**
 * The first pass of a network whose nodes lack the blocks since its first address: a pruned or young node of each
 * family, which is a fake in front of the node of the contract suite.
 */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ContractDriver } from "#tests/chains/contract/drivers/driver.ts";
import { DRIVERS } from "#tests/chains/contract/drivers/drivers.ts";
import { startFakeNode, type Twist } from "#tests/support/fake-node.ts";
import { until } from "#tests/support/until.ts";
import { openWatchedNetwork, polledOften } from "#tests/support/watched-network.ts";

/** A node without the blocks up to this height, as its software answers. */
type Lose = (height: number, driver: ContractDriver) => Promise<Twist>;

function refuse(code: number, message: string): never {
  throw Object.assign(new Error(message), { code });
}

/** bitcoind with -prune keeps the hashes. */
const losePruned: Lose = async (height, driver) => {
  const heights = Array.from({ length: height + 1 }, (_, i) => i);
  const lost = new Set(await Promise.all(heights.map(async (at) => (await driver.block(at)).hash)));
  return ({ method, params }) =>
    method === "getblock" && lost.has(String(params[0]))
      ? refuse(-1, "Block not available (pruned data)")
      : undefined;
};

/** EIP-4444, as geth answers. */
const loseEvm: Lose =
  async (height) =>
  ({ method, params }) =>
    method === "eth_getBlockByNumber" && Number(params[0]) <= height
      ? refuse(4444, "pruned history unavailable")
      : undefined;

const loseSolana: Lose =
  async (height) =>
  ({ method, params }) =>
    method === "getBlock" && Number(params[0]) <= height
      ? refuse(
          -32_001,
          `Block ${params[0]} cleaned up, does not exist on node. First available block: ${height + 1}`,
        )
      : undefined;

const loseXrp: Lose =
  async (height) =>
  ({ method, params }) => {
    const { ledger_index, ledger_index_min } = Object(params[0]) as Record<string, unknown>;
    const lost = (index: unknown) => typeof index === "number" && index <= height;
    if (method === "account_tx" && lost(ledger_index_min))
      return { status: "error", error: "lgrIdxMalformed" };
    return method === "ledger" && lost(ledger_index) ? { status: "error", error: "lgrNotFound" } : undefined;
  };

const FAMILIES: Readonly<Record<string, Lose>> = {
  bitcoin: losePruned,
  bep20: loseEvm,
  trc20: loseEvm,
  solana: loseSolana,
  xrp: loseXrp,
};

suite("a network whose nodes lack the blocks since its first address", { concurrency: 2 }, () => {
  for (const [name, lose] of Object.entries(FAMILIES)) {
    test(`${name}: starts at the first block of the node, and keeps the gap`, async () => {
      const driver = await DRIVERS[name]!();
      const fake = await startFakeNode(driver.rpcUrl);
      const { network, token } = driver;
      const networks = polledOften(driver.open(fake.url));
      const watched = await openWatchedNetwork(networks, { network, token }, driver.rates);
      try {
        await driver.prepare?.(watched.db);
        await driver.mine(16);
        const link = await watched.link(10);
        const { height } = await driver.tip();
        const lost = height - 5;
        fake.twist = await lose(lost, driver);
        watched.watch();
        const read = await until("the network to be read", async () => {
          const cursor = await watched.cursor();
          return cursor?.passStartedAt ? cursor : null;
        });
        assert.equal(read.error, null);
        // 100 blocks more than the time since the address explains.
        const first = Math.max(networks.find("test", network)?.data.firstHeight ?? 0, height - 101);
        assert.deepEqual([read.gapFrom, read.gapTo], [first + 1, lost]);
        await driver.send(link.address, link.due);
        await driver.mine(driver.blocksToCredit);
        await until(
          "the link to be completed",
          async () => (await watched.linkState(link.refid)) === "completed",
        );
      } finally {
        await watched.close();
        await fake.close();
        await driver.close();
      }
    });
  }
});

test("xrp: waits for a second node that may have the blocks, and reads them there", async (t) => {
  const driver = await DRIVERS.xrp!();
  const [young, other] = [await startFakeNode(driver.rpcUrl), await startFakeNode(driver.rpcUrl)];
  const networks = polledOften(driver.open(young.url, other.url));
  const watched = await openWatchedNetwork(networks, { network: "xrp", token: "xrp" }, driver.rates);
  t.after(async () => {
    await watched.close();
    await young.close();
    await other.close();
    await driver.close();
  });
  const link = await watched.link(10);
  await driver.send(link.address, link.due);
  await driver.mine(8);
  young.twist = await loseXrp((await driver.tip()).height - 2, driver);
  other.answer = (response) => response.writeHead(502).end();
  watched.watch();
  const { error } = await until("the error", async () =>
    (await watched.cursor())?.error ? watched.cursor() : null,
  );
  assert.match(error ?? "", /does not have the blocks from 2 to/);
  assert.equal((await watched.cursor())?.height, -1);
  other.answer = null;
  await until("the link to be completed", async () => (await watched.linkState(link.refid)) === "completed");
  assert.equal((await watched.cursor())?.gapFrom, null);
});

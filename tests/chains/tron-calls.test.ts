import assert from "node:assert/strict";
import { test } from "node:test";
import { meanPauseMs } from "#lib/chains/block-rhythm.ts";
import { estimateCalls } from "#lib/chains/estimate-calls.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { openTrc20Driver } from "#tests/chains/contract/drivers/trc20.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import { newAccount } from "#tests/support/tron.ts";
import { until } from "#tests/support/until.ts";
import { openWatchedNetwork } from "#tests/support/watched-network.ts";

const PASSES = 40;
/** One for the blocks of each pass, what came of the calls in each block, and a second look at the logs every two minutes. The search comes on top. */
const MOST_A_DAY = 60_000;

test("asks a TRON node at most 60,000 times a day with an open link, as estimated", async (t) => {
  const driver = await openTrc20Driver();
  t.after(() => driver.close());
  const fake = await openFakeNode(t, driver.rpcUrl);
  const networks = driver.open(`${fake.url}/jsonrpc`);
  const chain = await openWatchedNetwork(networks, { network: "trc20", token: "usdt" }, driver.rates);
  t.after(chain.close);
  await chain.link(10);
  const stranger = newAccount().address;
  const { blockSeconds } = NETWORKS.trc20;
  const pauseMs = meanPauseMs(NETWORKS.trc20);
  const { rhythm: _, ...data } = chain.adapter.data;
  let wake = () => {};
  // Passes begin when they are called, in place of when a block is due.
  const adapter = {
    ...chain.adapter,
    data: { ...data, pollMs: 600_000 },
    news: {
      listen(called: (news: "block") => void) {
        wake = () => called("block");
        return () => {};
      },
    },
  };
  chain.watchInRealTime({ find: () => adapter, list: () => [adapter], all: () => [adapter] });
  const pass = async (blocks: number) => {
    // TRON has hardly a block without USDT.
    for (let i = 0; i < blocks; i++) {
      await driver.send(stranger, 10n ** 18n);
      await driver.mine();
    }
    const { height } = await driver.tip();
    wake();
    await until(`the watcher to be at ${height}`, async () => (await chain.cursor())?.height === height);
  };
  await until("the first pass", chain.cursor);
  await pass(3);
  const before = { requests: fake.requests, calls: fake.calls.length };
  const blocksAfter = (passes: number) => Math.floor((passes * pauseMs) / 1_000 / blockSeconds);
  for (let i = 0; i < PASSES; i++) await pass(blocksAfter(i + 1) - blocksAfter(i));
  const aDay = (count: number) => (count / PASSES / pauseMs) * 86_400_000;
  const requests = aDay(fake.requests - before.requests);
  assert.ok(requests <= MOST_A_DAY, `${requests} requests a day`);
  const calls = aDay(fake.calls.length - before.calls);
  t.diagnostic(`${requests} requests and ${calls} calls a day`);
  const ratio = estimateCalls(chain.adapter.data).open / calls;
  assert.ok(ratio > 0.8 && ratio < 1.25, `the estimate of calls is ${ratio.toFixed(2)} of these`);
});

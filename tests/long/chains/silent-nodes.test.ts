/** Nodes that answer every request and are of no use: below what was read, without new blocks, without finality. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { viewPaymentLink } from "#lib/domain/payment-links/view/view-payment-link.ts";
import { rpc, sendEvmUsdt } from "#tests/support/anvil.ts";
import { bitcoinNetwork } from "#tests/support/bitcoin-adapter.ts";
import { openBitcoin, startBitcoind } from "#tests/support/bitcoind.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import { until } from "#tests/support/until.ts";
import { bep20, openWatchedChain, USDT } from "#tests/support/watched-chain.ts";
import {
  openWatchedNetwork,
  polledOften,
  startStepped,
  type WatchedNetwork,
} from "#tests/support/watched-network.ts";

const BELOW_CURSOR_MS = 31_000;
const HOUR_MS = 3_600_000;

/** The networks as if their chains were public: a development chain has no blocks that are overdue. */
function asPublic(networks: NetworkRegistry): NetworkRegistry {
  const all = networks.all().map((one) => ({ ...one, data: { ...one.data, isDevelopment: false } }));
  return { find: () => all[0]!, list: () => all, all: () => all };
}

/** Watches with a clock that the test sets forward, and keeps the watcher's log. */
function watchByClock(t: TestContext, watched: WatchedNetwork, networks: NetworkRegistry) {
  const clock = { ahead: 0 };
  const lines: Record<string, unknown>[] = [];
  const { stop } = startStepped({
    ...{ database: watched.database.database, networks, paymentLinks: watched.paymentLinks },
    log: pino({ level: "info" }, { write: (line: string) => lines.push(JSON.parse(line)) }),
    now: () => new Date(Date.now() + clock.ahead),
  });
  t.after(stop);
  const logged = (msg: string) => lines.filter((line) => line.msg === msg);
  const errorIs = (text: RegExp) =>
    until(`the error ${text}`, async () => text.test((await watched.cursor())?.error ?? ""));
  const healthy = () =>
    until("the error to go", async () => {
      const at = await watched.cursor();
      return at !== null && at.error === null && at.height === at.nodeHeight && at.passStartedAt;
    });
  return { clock, logged, errorIs, healthy };
}

async function openEvm(t: TestContext) {
  const chain = await openWatchedChain(t);
  const fake = await openFakeNode(t, chain.url);
  await chain.mine(10);
  const networks = asPublic(polledOften(bep20(fake.url)));
  return { chain, fake, watcher: watchByClock(t, chain, networks) };
}

async function openCore(t: TestContext) {
  const node = await startBitcoind();
  const networks = asPublic(polledOften(bitcoinNetwork(node.url)));
  const pair = { network: "bitcoin", token: "btc" } as const;
  const watched = await openWatchedNetwork(networks, pair, "btc/usd=50000");
  t.after(async () => {
    await watched.close();
    await node.stop();
  });
  return { bitcoin: openBitcoin(node.url), watched, watcher: watchByClock(t, watched, networks) };
}

test("an EVM node that went below what was read is an error after half a minute, until it is back", async (t) => {
  const { chain, watcher } = await openEvm(t);
  await watcher.healthy();
  const link = await chain.link(10);
  const { height } = (await chain.cursor())!;
  await rpc(chain.url, "anvil_rollback", [4]);
  await until("the height to be noted", async () => (await chain.cursor())?.nodeHeight === height - 4);
  assert.equal((await chain.cursor())?.error, null, "nodes of one network differ by some blocks at times");
  watcher.clock.ahead += BELOW_CURSOR_MS;
  await watcher.errorIs(
    new RegExp(`^behind: the node is at height ${height - 4}, below the cursor at ${height}$`),
  );
  const view = await viewPaymentLink(chain.paymentLinks, link.refid, new Date(Date.now() + 60_000));
  assert.deepEqual(view?.unwatched, ["bep20"]);
  assert.equal(watcher.logged("no node is usable").length, 1);
  await chain.mine(5);
  await watcher.healthy();
});

test("a bitcoin node that went below what was read is an error, until it is back", async (t) => {
  const { bitcoin, watched, watcher } = await openCore(t);
  await watcher.healthy();
  const { height, hash } = (await watched.cursor())!;
  await bitcoin.invalidate(hash);
  await until("the height to be noted", async () => (await watched.cursor())?.nodeHeight === height - 1);
  watcher.clock.ahead += BELOW_CURSOR_MS;
  await watcher.errorIs(/^behind: the node is at height \d+, below the cursor at \d+$/);
  await bitcoin.mine(2);
  await watcher.healthy();
});

test("a network without a new block for too long is unwatched: no pass is claimed, and payments count later", async (t) => {
  const { chain, watcher } = await openEvm(t);
  await watcher.healthy();
  const link = await chain.link(10);
  watcher.clock.ahead = 70_000;
  await watcher.errorIs(/^stale: the newest block of the node, \d+, is of 20\S+Z, too long ago$/);
  const { passStartedAt } = (await chain.cursor())!;
  assert.ok(passStartedAt!.getTime() < Date.now() + 60_000, "no pass is claimed");
  watcher.clock.ahead = 0;
  await sendEvmUsdt(chain.url, link.address, 10n * USDT);
  await chain.mine(5);
  await watcher.healthy();
  await until("the payment", async () => (await chain.linkState(link.refid)) === "completed");
});

test("bitcoin may have no block for three hours, and not for four", async (t) => {
  const { bitcoin, watcher, watched } = await openCore(t);
  await watcher.healthy();
  watcher.clock.ahead = 3 * HOUR_MS;
  const since = new Date(Date.now() + watcher.clock.ahead);
  await until("a pass", async () => ((await watched.cursor())?.passStartedAt ?? 0) >= since);
  watcher.clock.ahead = 4 * HOUR_MS;
  await watcher.errorIs(/^stale: the newest block of the node/);
  watcher.clock.ahead = 0;
  await bitcoin.mine(1);
  await watcher.healthy();
});

test("late finality is reported in the log and on the page, until it advances", async (t) => {
  const { chain, fake, watcher } = await openEvm(t);
  const final = await rpc(chain.url, "eth_getBlockByNumber", ["finalized", false]);
  fake.twist = ({ method, params }) =>
    method === "eth_getBlockByNumber" && params[0] === "finalized" ? final : undefined;
  await watcher.healthy();
  const link = await chain.link(10);
  await sendEvmUsdt(chain.url, link.address, 10n * USDT);
  const lateIs = (late: boolean) =>
    until(`late: ${late}`, async () => (await chain.cursor())?.finalityLate === late);
  await lateIs(false);
  // Far from the limit of a minute: the clock also runs by itself.
  watcher.clock.ahead = 20_000;
  await chain.mine(20);
  await watcher.healthy();
  await lateIs(false);
  await rpc(chain.url, "evm_increaseTime", [70]);
  await chain.mine(1);
  watcher.clock.ahead = 70_000;
  await lateIs(true);
  const view = async () => (await viewPaymentLink(chain.paymentLinks, link.refid, new Date()))!;
  assert.deepEqual([(await view()).state, (await view()).slow], ["detected", ["bep20"]]);
  assert.equal((await chain.cursor())?.error, null, "the network is watched");
  assert.equal(watcher.logged("finality is late: nothing is credited").length, 1);
  fake.twist = null;
  await lateIs(false);
  await until("the payment", async () => (await chain.linkState(link.refid)) === "completed");
  assert.deepEqual((await view()).slow, []);
  assert.equal(watcher.logged("finality is on time again").length, 1);
});

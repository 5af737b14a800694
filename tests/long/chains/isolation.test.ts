import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { HDKey } from "@scure/bip32";
import { and, eq } from "drizzle-orm";
import { pino } from "pino";
import type { Blocks } from "#lib/chains/blocks.ts";
import type { ChainReader, NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { deposits, watchCursors } from "#lib/domain/deposits/tables.ts";
import { watchCounters } from "#lib/domain/deposits/watch-metrics.ts";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { viewPaymentLink } from "#lib/domain/payment-links/view/view-payment-link.ts";
import { allocateAddress } from "#lib/domain/wallets/allocate-address.ts";
import { height, mine, openTestChain, sendEvmUsdt, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import { until } from "#tests/support/until.ts";
import { ACCOUNT_KEY, log, openWatchedChain, USDT } from "#tests/support/watched-chain.ts";
import { startStepped } from "#tests/support/watched-network.ts";

const LIVE_ACCOUNT_KEY = HDKey.fromMasterSeed(new Uint8Array(64).fill(3)).derive(
  "m/44'/60'/0'",
).publicExtendedKey;

/** Two networks (bep20 in both environments, each on its own node) that one process watches. */
async function open(t: TestContext) {
  const chain = await openWatchedChain(t);
  const other = await openTestChain(t);
  const fake = await openFakeNode(t, chain.url);
  const config = (env: Env, url: string, accountKey: string) => ({
    ...{ env, network: "bep20" as const, rpcUrls: [url], accountKey, zmqUrl: null },
    ...{ chainId: 97, contracts: { usdt: USDT_ADDRESS } },
  });
  const networks = openNetworks(
    [config("test", fake.url, ACCOUNT_KEY), config("live", other.url, LIVE_ACCOUNT_KEY)],
    { log },
  );
  const { address } = await chain.db.transaction((tx) =>
    allocateAddress(tx, networks.find("live", "bep20")!, {
      ...{ merchantId: chain.merchantId, purpose: "merchant", customerId: null },
    }),
  );
  const cursor = async (env: Env) =>
    (await chain.db.select().from(watchCursors).where(eq(watchCursors.env, env)))[0] ?? null;
  const caughtUp = async () => {
    const [head, since] = [await height(chain.url), new Date()];
    await until("the watcher to be at the head", async () => {
      const { height: at = -1, passStartedAt = null } = (await cursor("test")) ?? {};
      return at >= head && passStartedAt !== null && passStartedAt >= since;
    });
  };
  const credited = (env: Env) =>
    chain.db.$count(deposits, and(eq(deposits.env, env), eq(deposits.status, "credited")));
  /** The other network continues as usual. */
  const expectOthersContinue = async () => {
    const before = await credited("live");
    await sendEvmUsdt(other.url, address, USDT);
    await mine(other.url, 3);
    await until("the other network's credit", async () => (await credited("live")) === before + 1);
    assert.equal((await cursor("live"))?.error, null);
  };
  const lines: Record<string, unknown>[] = [];
  const watch = (registry: NetworkRegistry) => {
    const watcher = startStepped({
      database: chain.database.database,
      networks: registry,
      paymentLinks: chain.paymentLinks,
      log: pino({ level: "warn" }, { write: (line: string) => lines.push(JSON.parse(line)) }),
    });
    t.after(watcher.stop);
    return watcher;
  };
  return { ...{ chain, other, fake, networks, cursor, caughtUp, expectOthersContinue, watch, lines } };
}

/** The registry with changed blocks for the test environment's nodes. */
function reading(networks: NetworkRegistry, change: (node: ChainReader) => Partial<Blocks>) {
  const changed = (adapter: NetworkAdapter): NetworkAdapter =>
    adapter.env === "live"
      ? adapter
      : {
          ...adapter,
          nodes: {
            ...adapter.nodes,
            withOne: (cursor, work) =>
              adapter.nodes.withOne(cursor, (node, name) =>
                work({ ...node, blocks: { ...node.blocks, ...change(node) } }, name),
              ),
          },
        };
  return { ...networks, all: () => networks.all().map(changed) };
}

/** Failed passes of an environment's watchers, by kind. */
async function failuresOf(env: Env): Promise<Record<string, number>> {
  const { values } = await watchCounters.failures.get();
  return Object.fromEntries(
    values.filter(({ labels }) => labels.env === env).map(({ labels, value }) => [labels.kind, value]),
  );
}

test("a block that cannot be read stops only its own network, with an error, at that block", async (t) => {
  const { chain, networks, cursor, caughtUp, expectOthersContinue, watch, lines } = await open(t);
  const poison = { height: -1 };
  const { address } = await chain.address();
  const watcher = watch(
    reading(networks, (node) => ({
      scan: async (range, ours) => {
        if (range.from <= poison.height && poison.height <= range.to) {
          throw new TypeError("Cannot read properties of undefined (reading 'vout')");
        }
        return node.blocks.scan(range, ours);
      },
    })),
  );
  await caughtUp();
  poison.height = (await height(chain.url)) + 6;
  await sendEvmUsdt(chain.url, address, USDT);
  await chain.mine(5);
  await sendEvmUsdt(chain.url, address, USDT);
  await chain.mine(5);
  const error = await until("the error that names the block", async () => {
    const text = (await cursor("test"))?.error ?? "";
    return text.includes(`blocks ${poison.height} to ${poison.height} cannot be read`) ? text : null;
  });
  assert.match(error, /^malformed: .* TypeError: Cannot read properties of undefined \(reading 'vout'\)$/);
  const stopped = await cursor("test");
  assert.equal(stopped?.height, poison.height - 1, "all before it was read");
  await chain.depositsAre(["credited"]);
  await expectOthersContinue();
  assert.deepEqual((await cursor("test"))?.passStartedAt, stopped?.passStartedAt, "no pass is claimed");
  const loud = lines.find(({ level, env }) => level === 50 && env === "test");
  assert.match(JSON.stringify(loud), /cannot be read.*TypeError/, "with its cause");
  assert.ok(((await failuresOf("test")).malformed ?? 0) > 0);
  assert.deepEqual(await failuresOf("live"), {});

  poison.height = -1;
  await chain.depositsAre(["credited", "credited", "credited"]);
  // The error disappears with the pass, which ends after its credits.
  await until("the error to go", async () => (await cursor("test"))?.error === null);
  assert.deepEqual((await chain.ledger()).problems, []);
  await watcher.stop();
});

test("reports a node that is dead from the start, and shows the other networks", async (t) => {
  const { fake, networks, cursor, expectOthersContinue, watch, chain } = await open(t);
  fake.answer = (response) => response.destroy();
  watch(networks);
  const error = await until("the error", async () => (await cursor("test"))?.error);
  assert.match(error, /^unreachable: 127\.0\.0\.1:\d+ does not answer$/);
  assert.equal((await cursor("test"))?.passStartedAt, null);
  await until("the other's first pass", async () => (await cursor("live"))?.passStartedAt);
  await expectOthersContinue();
  assert.ok(((await failuresOf("test")).unreachable ?? 0) > 0);
  fake.answer = null;
  const head = await height(chain.url);
  await until("the first pass", async () => (await cursor("test"))?.passStartedAt);
  assert.partialDeepStrictEqual(await cursor("test"), { height: head, nodeHeight: head, error: null });
});

test("delays the decision for an unwatched network, shows that on the page, and counts the late observation", async (t) => {
  const { chain, fake, networks, cursor, caughtUp, watch } = await open(t);
  watch(networks);
  await caughtUp();
  const link = await chain.link(10);
  const view = (now: Date) => viewPaymentLink(chain.paymentLinks, link.refid, now);
  assert.deepEqual((await view(new Date()))?.unwatched, []);
  fake.answer = (response) => response.destroy();
  await until("the error", async () => (await cursor("test"))?.error);
  // Paid in time, in a block that no process here can see.
  await sendEvmUsdt(chain.url, link.address, 10n * USDT);
  await chain.mine(3);
  const ended = new Date(Date.now() + 3 * 3_600_000);
  assert.deepEqual((await view(ended))?.unwatched, ["bep20"]);
  await sweepPaymentLinks(chain.paymentLinks, ended);
  assert.equal(await chain.linkState(link.refid), "awaiting");
  assert.equal((await view(ended))?.checking, true);
  fake.answer = null;
  await until("the link to be complete", async () => (await chain.linkState(link.refid)) === "completed");
  assert.deepEqual((await view(new Date()))?.unwatched, []);
  assert.equal(await chain.balance(), 10n * USDT);
});

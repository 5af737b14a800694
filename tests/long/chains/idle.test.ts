import assert from "node:assert/strict";
import { test } from "node:test";
import { openNetworks } from "#lib/chains/registry.ts";
import { hintTransaction } from "#lib/domain/deposits/watch/expected-queries.ts";
import { listenForHints } from "#lib/domain/deposits/watch/listen-for-hints.ts";
import { startWatchers } from "#lib/domain/deposits/watch/watch-network.ts";
import { sendEvmUsdt, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import { until } from "#tests/support/until.ts";
import { ACCOUNT_KEY, log, openWatchedChain, USDT } from "#tests/support/watched-chain.ts";

/** A database that counts the questions of an idle network, which only execute() asks. */
function counting(database: Awaited<ReturnType<typeof openWatchedChain>>["database"]["database"]) {
  const asked = { times: 0 };
  const db = new Proxy(database.db, {
    get(target, name) {
      if (name === "execute") asked.times += 1;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { asked, database: { ...database, db } };
}

test("asks the node of an idle network rarely, and at full speed as soon as a link has an address there", async (t) => {
  const chain = await openWatchedChain(t);
  const fake = await openFakeNode(t, chain.url);
  const given = { rpcUrls: [fake.url], accountKey: ACCOUNT_KEY, contracts: { usdt: USDT_ADDRESS } };
  const config = { env: "test", network: "bep20", zmqUrl: null, chainId: null, ...given } as const;
  // Longer than any wait of this test: no look at the network's idle pace ends one.
  const networks = openNetworks([{ ...config, idleSeconds: 600 }], { log });
  const { asked, database } = counting(chain.database.database);
  const watcher = startWatchers({ database, networks, paymentLinks: chain.paymentLinks, log });
  t.after(() => watcher.stop());
  await chain.caughtUp();

  await until("the first question of an idle network", () => asked.times >= 2);
  const before = fake.calls.length;
  await chain.mine();
  await until("three more seconds", () => asked.times >= 5);
  assert.equal(fake.calls.length, before, "the node is not asked");

  let questions: number | null = null;
  fake.twist = () => {
    questions ??= asked.times;
    return undefined;
  };
  const link = await chain.link(10);
  const chosenAt = asked.times;
  await until("the node to be asked", () => fake.calls.length > before);
  assert.ok(questions! - chosenAt <= 2, "at its next question, and one can be under way");
  await sendEvmUsdt(chain.url, link.address, 10n * USDT);
  await chain.mine();
  // It stays at full speed.
  await chain.depositsAre(["seen"]);
  await chain.mine(2);
  await chain.depositsAre(["credited"]);
});

test("a payer's wallet makes the watcher look at once, and no stranger does it often", async (t) => {
  const chain = await openWatchedChain(t);
  const fake = await openFakeNode(t, chain.url);
  const given = { rpcUrls: [fake.url], accountKey: ACCOUNT_KEY, contracts: { usdt: USDT_ADDRESS } };
  const networks = openNetworks([{ env: "test", network: "bep20", zmqUrl: null, chainId: null, ...given }]);
  const [adapter] = networks.all().map((one) => ({ ...one, data: { ...one.data, pollMs: 3_600_000 } }));
  const { database } = chain.database;
  const hints = await listenForHints(database.url, log);
  t.after(() => hints.stop());
  const rarely = { ...networks, all: () => [adapter!], find: () => adapter! };
  const { paymentLinks } = chain;
  const watcher = startWatchers({ database, networks: rarely, paymentLinks, log, hints });
  t.after(() => watcher.stop());
  await chain.caughtUp();

  const link = await chain.link(10);
  await sendEvmUsdt(chain.url, link.address, 10n * USDT);
  await chain.mine();
  await hintTransaction(database.db, link.refid, "trc20");
  await hintTransaction(database.db, link.refid, "bep20");
  await chain.depositsAre(["seen"]);

  const before = fake.calls.length;
  for (let i = 0; i < 500; i++) await hintTransaction(database.db, link.refid, "bep20");
  await until("the last of them", () => fake.calls.length > before);
  assert.ok(fake.calls.length - before < 20 * 8, `${fake.calls.length - before} calls for 500 hints`);
});

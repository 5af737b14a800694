/** Blocks that no node traces stop nothing else: they are set aside, and read again when a node traces them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { listAttention } from "#lib/domain/attention/queries.ts";
import { attention } from "#lib/domain/attention/tables.ts";
import { height, sendEvmUsdt, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { forwardCoin } from "#tests/support/evm-payments.ts";
import { openFakeNode, type Twist } from "#tests/support/fake-node.ts";
import { until } from "#tests/support/until.ts";
import { evmNetwork, openWatchedChain, USDT } from "#tests/support/watched-chain.ts";

test("reads tokens in blocks that no node traces, and what contracts sent in them once one does", async (t) => {
  const chain = await openWatchedChain(t);
  const fake = await openFakeNode(t, chain.url);
  const { address } = await chain.address();
  chain.watch(evmNetwork("bep20", [fake.url], { usdt: USDT_ADDRESS }, { traces: true }));
  await chain.caughtUp();
  const refuse: Twist = ({ method }) => {
    if (method.startsWith("debug_trace")) throw new Error("missing trie node");
    return undefined;
  };
  fake.twist = refuse;
  const from = (await height(chain.url)) + 1;
  await forwardCoin(chain.url, address, 7n);
  await sendEvmUsdt(chain.url, address, 4n * USDT);
  await chain.mine();
  await chain.caughtUp();
  await sendEvmUsdt(chain.url, address, 5n * USDT);
  await chain.mine(3);
  await until("the tokens to be credited", async () => (await chain.balance()) === 9n * USDT);
  const [row, ...more] = await listAttention(chain.db, { after: null, limit: 10 });
  assert.deepEqual(more, []);
  const [, first, last] = /^blocks:test:bep20:([0-9]+)-([0-9]+)$/.exec(row?.subject ?? "") ?? [];
  assert.ok(Number(first) >= from && Number(first) <= Number(last), row?.subject);
  assert.match(row!.reason, /no node traces these blocks/);
  const coins = async () => (await chain.deposits()).filter(({ token }) => token === "bnb").length;
  assert.equal(await coins(), 0);

  fake.twist = null;
  await chain.db.update(attention).set({ retryAt: new Date(0) });
  await chain.mine(3);
  await until("what the contract sent to be recorded", async () => {
    await chain.caughtUp();
    return (await coins()) === 1;
  });
  assert.deepEqual(await listAttention(chain.db, { after: null, limit: 10 }), []);
  await chain.mine(3);
  await chain.caughtUp();
  assert.equal((await chain.deposits()).length, 3);
  assert.deepEqual((await chain.ledger()).problems, []);
});

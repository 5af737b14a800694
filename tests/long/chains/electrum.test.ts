/** Electrum servers that stop, refuse or lie, among honest ones, through the watcher into the ledger. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { electrumNetwork, openElectrumWorld } from "#tests/support/electrum-world.ts";
import { until } from "#tests/support/until.ts";

const world = await openElectrumWorld();
const { bitcoin, server } = world;
after(() => server.close());

function refuse(code: number, message: string): never {
  throw Object.assign(new Error(message), { code });
}

test("a server that stops delays nothing while another one continues", async (t) => {
  const stale = await world.serve(t);
  stale.freeze(true);
  await bitcoin.mine(3);
  const watched = await world.watch(t, stale, server);
  await watched.credited(await watched.pay());
  const [first, second] = watched.adapter.nodes.report();
  assert.equal(second!.height! - first!.height!, 4);
});

test("a history that is too long for one server comes from another one", async (t) => {
  const histories = ["blockchain.scripthash.get_history", "blockchain.scripthash.subscribe"];
  // Recorded: history-too-large.
  const short = await world.fake(t, ({ method }) =>
    histories.includes(method) ? refuse(1, "history too large") : undefined,
  );
  const watched = await world.watch(t, short, server);
  await watched.credited(await watched.pay());
  assert.ok(short.calls.some(({ method }) => method === "blockchain.scripthash.get_history"));
});

test("a server that is busy for a while is asked again, and its payments are credited once", async (t) => {
  let refused = 0;
  // Recorded: node-down-transaction. The other is said when requests cost too much.
  const busy = await world.fake(t, ({ method }) => {
    if (refused === 2 || !method.startsWith("blockchain.scripthash.")) return;
    refused += 1;
    if (refused === 1) refuse(-102, "server busy - request timed out");
    refuse(-101, "excessive resource usage");
  });
  const watched = await world.watch(t, busy);
  await watched.credited(await watched.pay());
  assert.equal(refused, 2);
});

/** A few seconds are normal. Waiting for the first server would take the time limit of a request, 35 s. */
const SWITCHED_WITHIN_MS = 30_000;

for (const [trouble, fail] of Object.entries({
  "answers nothing more": () => new Promise<never>(() => {}),
  "is busy for good": async () => refuse(-102, "server busy - request timed out"),
  "is asked too much": async () => refuse(-101, "excessive resource usage"),
})) {
  test(`a first server that ${trouble} delays little while another one continues`, async (t) => {
    let isInTrouble = false;
    let refused = 0;
    const first = await world.fake(t, async ({ method }) => {
      // It announces blocks and payments as before.
      if (!isInTrouble || !/get_history|transaction\.get/.test(method)) return undefined;
      refused += 1;
      return fail();
    });
    const watched = await world.watch(t, first, server);
    const link = await watched.link(10);
    await until("the address to be known", async () =>
      first.calls.some(({ method }) => method === "blockchain.scripthash.subscribe"),
    );
    isInTrouble = true;
    const since = performance.now();
    await watched.credited(await watched.pay(link));
    assert.ok(refused > 0, "the first server was asked");
    assert.ok(performance.now() - since < SWITCHED_WITHIN_MS);
    t.diagnostic(`${Math.round(performance.now() - since)} ms`);
  });
}

test("a server of protocol 1.4 is read like one of 1.6", async (t) => {
  const watched = await world.watch(t, await world.serve(t, { newest: "1.4" }));
  await watched.credited(await watched.pay());
});

test("a server whose chain has no work behind it is not followed", async (t) => {
  const tip = await bitcoin.height();
  // A header on top of the newest block whose bits ask for more than regtest's.
  const liar = await world.fake(t, async ({ method }, pass) => {
    if (method !== "blockchain.headers.subscribe") return undefined;
    const { hex, height } = (await pass()) as { hex: string; height: number };
    return { height: height + 1, hex: `${hex.slice(0, 144)}ffff001d${hex.slice(152)}` };
  });
  const watched = await world.watch(t, liar, server);
  await watched.credited(await watched.pay());
  assert.equal((await watched.cursor())!.height, tip + 1);
  assert.notEqual(watched.adapter.nodes.report()[0]!.error, null);
});

test("a transaction's block is waited for when the server shows it after its node", async (t) => {
  const late = await world.serve(t);
  const [adapter] = electrumNetwork([late.url]).all();
  const { address } = adapter!.addresses.derive(78);
  const txid = await bitcoin.sendTo(address, "0.001");
  await adapter!.blocks.fetchHead();
  late.freeze(true);
  const [blockHash] = await bitcoin.mine(4);
  const asked = late.calls.length;
  const status = adapter!.transactions!.fetchStatus(txid);
  const waits = until("the reader to ask for the header again", async () =>
    late.calls.slice(asked).some(({ method }) => method === "blockchain.headers.subscribe"),
  );
  await Promise.race([status, waits]);
  late.freeze(false);
  const blockHeight = (await bitcoin.height()) - 3;
  assert.deepEqual(await status, { kind: "confirmed", blockHeight, blockHash });
});

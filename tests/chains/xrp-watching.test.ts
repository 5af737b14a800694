/** XRP through the watcher into links and the ledger, for cases that the contract suite does not have. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Wallet } from "xrpl";
import { encodeXAddress } from "#lib/chains/xrp/address.ts";
import { listUnmatchedDeposits } from "#lib/domain/deposits/unmatched/queries.ts";
import { allocateAddress } from "#lib/domain/wallets/allocate-address.ts";
import { startChainApi } from "#tests/support/chain-api.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import { successOf } from "#tests/support/says.ts";
import { until } from "#tests/support/until.ts";
import { openWatchedNetwork, polledOften } from "#tests/support/watched-network.ts";
import { DROPS_PER_XRP, PARTIAL_PAYMENT, startXrpWorld, xrpNetwork } from "#tests/support/xrp.ts";

/** A chain, and a network that is read from a fake before its server. */
async function open(t: TestContext) {
  const world = await startXrpWorld();
  t.after(world.stop);
  const front = await openFakeNode(t, world.url);
  const networks = polledOften(xrpNetwork(world.account, front.url));
  const watched = await openWatchedNetwork(networks, { network: "xrp", token: "xrp" }, "xrp/usd=2");
  t.after(watched.close);
  const watcher = watched.watch();
  await until("the watcher's start", () => watched.cursor());
  const link = await watched.link(10);
  const becomes = (wanted: string) =>
    until(`the link to be ${wanted}`, async () => (await watched.linkState(link.refid)) === wanted);
  return { world, front, watched, watcher, link, becomes };
}

test("a partial payment leaves a link partly paid, whatever its amount says, and the rest completes it", async (t) => {
  const { world, watched, link, becomes } = await open(t);
  const partial = { SendMax: world.token("1"), Flags: PARTIAL_PAYMENT };
  await world.pay(world.payer, link.address, link.due, partial);
  world.mine();
  await becomes("partial");
  const [deposit] = await watched.depositsTo(link.address);
  assert.equal(deposit?.amount, 1_000_000n);
  await world.pay(world.payer, link.address, link.due - 1_000_000n);
  world.mine();
  await becomes("completed");
  assert.deepEqual((await watched.ledger()).problems, []);
});

test("waits for a server that lost a part of its history, or reads another one, and misses no payment", async (t) => {
  const { world, front: gappy, watched, watcher, link, becomes } = await open(t);
  await watcher.stop();
  const before = (await watched.cursor())!.height;
  const at = before + 2;
  world.mine();
  await world.pay(world.payer, link.address, link.due);
  world.mine(6);

  // It was restarted, and has only what came after the payment.
  gappy.twist = ({ method, params }) => {
    const { ledger_index, ledger_index_min } = Object(params[0]) as Record<string, unknown>;
    const lost = (index: unknown) => typeof index === "number" && index <= at;
    if (method === "account_tx" && lost(ledger_index_min))
      return { status: "error", error: "lgrIdxMalformed" };
    if (method === "ledger" && lost(ledger_index)) return { status: "error", error: "lgrNotFound" };
    return undefined;
  };
  const alone = watched.watch();
  await until("the error of the gap", async () => (await watched.cursor())?.error);
  assert.equal((await watched.cursor())?.height, before);
  assert.deepEqual(await watched.depositsTo(link.address), []);
  await alone.stop();

  watched.watch(polledOften(xrpNetwork(world.account, gappy.url, world.url)));
  await becomes("completed");
  const { tip } = world.ledgers;
  await until("the cursor at the head", async () => (await watched.cursor())?.hash === tip().hash);
  assert.equal((await watched.depositsTo(link.address)).length, 1);
  assert.deepEqual((await watched.ledger()).problems, []);
});

test("another account in the configuration leaves the tags of the one before watched", async (t) => {
  const { world, watched, watcher, link, becomes } = await open(t);
  await watcher.stop();
  const next = Wallet.generate();
  await world.pay(world.payer, next.classicAddress, 10n * DROPS_PER_XRP);
  world.mine();
  const networks = polledOften(xrpNetwork(next.classicAddress, world.url));
  const [changed] = networks.all();
  const fresh = await watched.db.transaction((tx) =>
    allocateAddress(tx, changed!, { merchantId: watched.merchantId, purpose: "merchant", customerId: null }),
  );
  watched.watch(networks);
  await world.pay(world.payer, link.address, link.due);
  await world.pay(world.payer, fresh.address, 3n * DROPS_PER_XRP);
  const tagless = [world.account, next.classicAddress];
  for (const account of tagless) await world.pay(world.payer, account, 2n * DROPS_PER_XRP);
  world.mine();
  await becomes("completed");
  // The first one is the reserve of the new account.
  await watched.depositsAre(["held", "credited", "credited", "held", "held"]);
  const held = await listUnmatchedDeposits(watched.db, "test", null, { before: null, limit: 9 });
  assert.deepEqual(
    held.toReversed().map(({ address, reason }) => [address, reason]),
    [next.classicAddress, ...tagless].map((account) => [
      encodeXAddress({ account, tag: null }, "test"),
      "no_tag",
    ]),
  );
  assert.equal(await watched.balance(), link.due + 3n * DROPS_PER_XRP);
  assert.deepEqual((await watched.ledger()).problems, []);
});

test("an account of an earlier configuration that was never paid stops nothing", async (t) => {
  const { world, front, watched, link, becomes } = await open(t);
  const { classicAddress: never } = Wallet.generate();
  const [earlier] = xrpNetwork(never, world.url).all();
  await watched.db.transaction((tx) =>
    allocateAddress(tx, earlier!, { merchantId: watched.merchantId, purpose: "merchant", customerId: null }),
  );
  let asked = 0;
  front.twist = ({ method, params }) => {
    if (method !== "account_tx" || Object(params[0]).account !== never) return undefined;
    asked += 1;
    return { status: "error", error: "actNotFound" };
  };
  await world.pay(world.payer, link.address, link.due);
  world.mine();
  await becomes("completed");
  assert.ok(asked > 0);
});

test("gives a merchant the tag with the address, and with the deposit", async (t) => {
  const world = await startXrpWorld();
  t.after(world.stop);
  const api = await startChainApi(xrpNetwork(world.account, world.url));
  t.after(api.close);
  const { test: key } = await api.merchant();
  const headers = { "x-staging-api-key": key };
  api.watch();
  await until("the watcher's start", async () => {
    const { rows } = await api.database.database.pool.query("select height from watch_cursors");
    return rows.length > 0;
  });
  const path = "/wallets/generate-merchant-wallet";
  const { body } = await api.send({ path, form: { network: "xrp" }, headers });
  const { data } = body as { data: { address: string; extra: string } };
  assert.deepEqual(data, { address: world.adapter().addresses.derive(0).address, extra: "1" });
  const hash = await world.pay(world.payer, world.account, 5_000_000n, {
    DestinationTag: Number(data.extra),
  });
  world.mine();
  const deposit = await until("the deposit", async () => {
    const answer = await api.send({ path: `/transaction/deposit/${hash.toLowerCase()}`, headers });
    return answer.status === 200 ? (answer.body as { data: Record<string, unknown> }).data : null;
  });
  const { address, extra, tx_hash, output_pos, value } = deposit;
  assert.deepEqual([address, extra, tx_hash, output_pos, value], [data.address, "1", hash, null, 5]);
  const own = successOf(await api.client(key).POST("/wallets/get-addresses", { body: { network: "xrp" } }));
  assert.equal((own.data as unknown[]).length, 1);
});

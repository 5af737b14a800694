import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sql } from "drizzle-orm";
import { fromDepositNumber } from "#lib/domain/deposit-status.ts";
import { findWatchStatus } from "#lib/domain/network-status/queries.ts";
import { viewPaymentLink } from "#lib/domain/payment-links/view/view-payment-link.ts";
import { bitcoinNetwork } from "#tests/support/bitcoin-adapter.ts";
import { openBitcoin, shareBitcoind } from "#tests/support/bitcoind.ts";
import { startFakeNode, type Twist } from "#tests/support/fake-node.ts";
import { until } from "#tests/support/until.ts";
import { openWatchedNetwork, polledOften } from "#tests/support/watched-network.ts";

const SEEN = "seen";
const CREDITED = "credited";
const DROPPED = "dropped";

/** A watched node behind a fake, others that give changed answers, and a link with a payment in the mempool. */
async function open(t: TestContext, ...twists: readonly Twist[]) {
  const node = await shareBitcoind();
  const bitcoin = openBitcoin(node.url);
  const fakes = await Promise.all([null, ...twists].map(() => startFakeNode(node.url)));
  for (const [i, twist] of twists.entries()) fakes[i + 1]!.twist = twist;
  const networks = polledOften(bitcoinNetwork(...fakes.map(({ url }) => url)));
  const pair = { network: "bitcoin", token: "btc" } as const;
  const watched = await openWatchedNetwork(networks, pair, "btc/usd=50000");
  t.after(async () => {
    await watched.close();
    await Promise.all(fakes.map((fake) => fake.close()));
  });
  // Records it however briefly it lasts: polling may miss it.
  await watched.db.execute(sql`create table past (at serial, status integer)`);
  await watched.db.execute(sql`
    create function note() returns trigger language plpgsql as
    $$ begin insert into past (status) values (new.status); return new; end $$`);
  await watched.db.execute(sql`
    create trigger note after insert or update on deposits for each row execute function note()`);
  const statuses = async () => {
    const { rows } = await watched.db.execute<{ status: number }>(sql`select status from past order by at`);
    return rows
      .map(({ status }) => fromDepositNumber(status))
      .filter((status, i, all) => status !== all[i - 1]);
  };
  watched.watch();
  await until("the watcher's start", () => watched.cursor());
  const link = await watched.link(10);
  const txHash = await bitcoin.sendTo(link.address, "0.0002");
  await watched.depositsAre([SEEN]);
  return { bitcoin, fake: fakes[0]!, other: fakes[1], watched, link, txHash, statuses };
}

test("never drops a payment that a reorg puts back between reading the mempool and the chain", async (t) => {
  const { bitcoin, fake, watched, link, statuses } = await open(t);
  await bitcoin.mine();
  await watched.depositsAre([CREDITED]);
  const { hash } = (await watched.cursor())!;
  let reorganized = false;
  fake.twist = async ({ method }) => {
    if (method !== "getblockchaininfo" || reorganized) return undefined;
    reorganized = true;
    await bitcoin.reorg(1, "without");
    return undefined;
  };
  await until("the other branch to be read", async () => (await watched.cursor())?.hash !== hash);
  const looks = fake.calls.length;
  await until("looks that see it again", () => fake.calls.length > looks + 20);
  await watched.depositsAre([SEEN]);
  assert.equal(await watched.linkState(link.refid), "detected");
  assert.equal(await watched.balance(), 0n);
  await bitcoin.mine();
  await watched.depositsAre([CREDITED]);
  assert.deepEqual(await statuses(), [SEEN, CREDITED, SEEN, CREDITED]);
  assert.deepEqual((await watched.ledger()).problems, []);
});

test("keeps a payment that the next node does not have yet when the first node dies, and credits it once", async (t) => {
  const { bitcoin, fake, other, watched, link, statuses } = await open(t, ({ method }) =>
    method === "getrawmempool" ? [] : undefined,
  );
  fake.answer = (response) => response.destroy();
  const { length } = other!.calls;
  const looks = () => other!.calls.slice(length).filter(({ method }) => method === "getrawmempool").length;
  await until("looks at a mempool without it", () => looks() > 10);
  await watched.depositsAre([SEEN]);
  assert.equal(await watched.linkState(link.refid), "detected");
  await bitcoin.mine();
  await watched.depositsAre([CREDITED]);
  assert.deepEqual(await statuses(), [SEEN, CREDITED]);
  assert.deepEqual((await watched.ledger()).problems, []);
});

test("keeps a payment that one mempool read misses, drops one that two miss, and restores it when it returns", async (t) => {
  const { fake, watched, link, statuses } = await open(t);
  let lists = 0;
  const hide = (times: number) => {
    lists = 0;
    fake.twist = ({ method }) => {
      // Always another one, so that each look takes a new list.
      if (method === "getmempoolinfo") return { loaded: true, size: 0, bytes: fake.calls.length };
      if (method !== "getrawmempool") return undefined;
      lists += 1;
      return lists > times ? undefined : [];
    };
  };
  hide(1);
  await until("looks after it", () => lists > 4);
  assert.deepEqual(await statuses(), [SEEN]);
  // A pass may come only after several lists.
  hide(Number.POSITIVE_INFINITY);
  await watched.depositsAre([DROPPED]);
  assert.equal(await watched.linkState(link.refid), "awaiting");
  hide(0);
  await watched.depositsAre([SEEN]);
  assert.deepEqual(await statuses(), [SEEN, DROPPED, SEEN]);
  assert.equal(await watched.linkState(link.refid), "detected");
});

test("never waits for the mempool: credits from a block while none of 2,000 waiting transactions can be fetched", async (t) => {
  const { bitcoin, fake, watched, txHash } = await open(t);
  const others = Array.from({ length: 2_000 }, (_, i) => i.toString(16).padStart(64, "0"));
  const held = Promise.withResolvers<void>();
  let asked = 0;
  fake.twist = async ({ method, params }, pass) => {
    if (method === "getmempoolinfo") return { loaded: true, size: 0, bytes: fake.calls.length };
    if (method === "getrawmempool") return [...((await pass()) as string[]), ...others];
    if (method !== "getrawtransaction" || !others.includes(String(params[0]))) return undefined;
    asked += 1;
    await held.promise;
    throw Object.assign(new Error("busy"), { code: -1 });
  };
  await until("the others to be asked for", () => asked > 0);
  const link = await watched.link(20);
  await bitcoin.sendTo(link.address, "0.0004");
  await bitcoin.mine();
  await watched.depositsAre([CREDITED, CREDITED]);
  assert.equal(await watched.linkState(link.refid), "completed");
  // Every request fails in part now. Our payments are found in the rest, and nothing is dropped.
  held.resolve();
  const next = await watched.link(30);
  const paid = await bitcoin.sendTo(next.address, "0.0006");
  const deposits = await watched.depositsAre([CREDITED, CREDITED, SEEN]);
  assert.deepEqual([deposits[0]?.txHash, deposits[2]?.txHash], [txHash, paid]);
});

test("credits from blocks, and says so, where the node refuses to show its mempool", async (t) => {
  const { bitcoin, fake, watched } = await open(t);
  const refused = new Set(["getrawmempool", "getmempoolinfo"]);
  fake.twist = ({ method }) => {
    if (refused.has(method)) throw Object.assign(new Error("Method not found"), { code: -32_601 });
  };
  const { db, paymentLinks } = watched;
  const scope = { env: "test", network: "bitcoin" } as const;
  await until("the refusal to be noticed", async () => (await findWatchStatus(db, scope))?.mempoolError);
  const link = await watched.link(20);
  const view = await viewPaymentLink(paymentLinks, link.refid, new Date());
  assert.deepEqual([view?.blockOnly, view?.unwatched], [["bitcoin"], []]);
  await bitcoin.sendTo(link.address, "0.0004");
  await bitcoin.mine();
  await watched.depositsAre([CREDITED, CREDITED]);
  assert.equal(await watched.linkState(link.refid), "completed");
});

test("needs the confirmations of a payment's value, and of all of the merchant's payments in its block", async (t) => {
  const { bitcoin, watched } = await open(t);
  const required = async () =>
    (await watched.deposits()).map(({ requiredConfirmations }) => requiredConfirmations);
  const small = await watched.link(1);
  await bitcoin.sendTo(small.address, "2");
  await watched.depositsAre([SEEN, SEEN]);
  assert.deepEqual(await required(), [1, 6]);
  const others = await watched.link(60, 1);
  await bitcoin.sendTo(others.address, "0.0012");
  await watched.depositsAre([SEEN, SEEN, SEEN]);
  await bitcoin.mine();
  await watched.depositsAre([SEEN, SEEN, CREDITED]);
  assert.deepEqual(await required(), [6, 6, 1]);
  assert.equal(await watched.balance(), 0n);
  await bitcoin.mine(5);
  await watched.depositsAre([CREDITED, CREDITED, CREDITED]);
});

test("needs more confirmations for many small payments in one block", async (t) => {
  const { bitcoin, watched } = await open(t);
  const links = [await watched.link(50), await watched.link(50)];
  await bitcoin.payMany(links.map(({ address }) => [address, "0.001"]));
  await watched.depositsAre([SEEN, SEEN, SEEN]);
  await bitcoin.mine();
  await until("the block", async () =>
    (await watched.deposits()).every(({ confirmations }) => confirmations === 1),
  );
  await watched.depositsAre([SEEN, SEEN, SEEN]);
  await bitcoin.mine();
  await watched.depositsAre([CREDITED, CREDITED, CREDITED]);
});

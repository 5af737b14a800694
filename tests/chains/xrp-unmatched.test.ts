/**
 * XRP without an allocated address: unassigned in the ledger, on the list, and a merchant's once a person
 * resolves it.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { inArray } from "drizzle-orm";
import { encodeXAddress } from "#lib/chains/xrp/address.ts";
import { requeryTransaction } from "#lib/domain/deposits/requery/requery-transaction.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { listUnmatchedDeposits } from "#lib/domain/deposits/unmatched/queries.ts";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import { createWatchContext } from "#lib/domain/deposits/watch/watch-network.ts";
import { listExportedAddresses, listHighestIndexes } from "#lib/domain/wallets/queries.ts";
import { actOf, programActAt } from "#tests/support/acts.ts";
import { until } from "#tests/support/until.ts";
import { log, openWatchedNetwork, polledOften } from "#tests/support/watched-network.ts";
import { DROPS_PER_XRP, startXrpWorld, type XrpWorld, xrpNetwork } from "#tests/support/xrp.ts";

let world: XrpWorld;
let watched: Awaited<ReturnType<typeof openWatchedNetwork>>;

before(async () => {
  world = await startXrpWorld();
  const networks = polledOften(xrpNetwork(world.account, world.url));
  watched = await openWatchedNetwork(networks, { network: "xrp", token: "xrp" }, "xrp/usd=2");
  watched.watch();
  await until("the watcher's start", () => watched.cursor());
});
afterEach(async () => {
  assert.deepEqual((await watched.ledger()).problems, []);
});
after(async () => {
  await watched.close();
  await world.stop();
});

/** The operator's decision that a deposit is the stall's, or the shop's. */
const resolve = (id: number, merchantId = watched.stallId) =>
  watched.db.transaction((tx) => resolveDeposit(actOf(tx, merchantId), { networks: watched.networks, id }));
const unmatched = (merchantId: number | null = null) =>
  listUnmatchedDeposits(watched.db, "test", merchantId, { before: null, limit: 100 });

/** Closes a ledger and waits until it was read and counted. */
async function settled(): Promise<void> {
  world.mine();
  const { hash } = world.ledgers.tip();
  await until("the watcher to be at the node's head", async () => (await watched.cursor())?.hash === hash);
}

async function balances(): Promise<Record<string, bigint>> {
  const { rows } = await watched.database.database.pool.query(
    "select code, balance from ledger_accounts where token = 'xrp' and balance <> 0",
  );
  return Object.fromEntries(rows.map(({ code, balance }) => [code, BigInt(balance)]));
}

test("holds and lists a payment without a tag and one with an unallocated tag, and shows them to no merchant", async () => {
  const { address } = await watched.address();
  await world.pay(world.payer, address, 3n * DROPS_PER_XRP);
  const tagless = await world.pay(world.payer, world.account, 5n * DROPS_PER_XRP, { SourceTag: 9 });
  const unknown = await world.pay(world.payer, world.account, 7n * DROPS_PER_XRP, {
    DestinationTag: 4_000_000_000,
  });
  await settled();
  await watched.depositsAre(["credited", "held", "held"]);
  const rows = await unmatched();
  const account = encodeXAddress({ account: world.account, tag: null }, "test");
  assert.deepEqual(
    rows.map((row) => [
      row.txHash,
      row.reason,
      row.extra,
      row.amount,
      row.status,
      row.address,
      row.merchantEmail,
    ]),
    [
      [unknown, "unknown_tag", "4000000000", 7n * DROPS_PER_XRP, "held", account, null],
      [tagless, "no_tag", null, 5n * DROPS_PER_XRP, "held", account, null],
    ],
  );
  assert.equal(rows[1]?.sender, encodeXAddress({ account: world.payer.classicAddress, tag: 9 }, "test"));
  assert.deepEqual(await unmatched(watched.merchantId), []);
  assert.deepEqual(await balances(), {
    "custody:xrp": -15n * DROPS_PER_XRP,
    [`merchant:${watched.merchantId}`]: 3n * DROPS_PER_XRP,
    "unmatched:xrp": 12n * DROPS_PER_XRP,
  });
  assert.deepEqual(await watched.events().then((events) => events.map(({ type }) => type)), [
    "deposit_credited",
  ]);
});

test("records the account once, unassigned, and exports it with what is held on it", async () => {
  const exported = await listExportedAddresses(watched.db, "test", "xrp");
  assert.deepEqual(
    exported.map(({ index, path, purpose, merchantId, received }) => [
      index,
      path,
      purpose,
      merchantId,
      received,
    ]),
    [
      [-1, "no tag", "account", null, [{ token: "xrp", amount: 12n * DROPS_PER_XRP }]],
      [0, "tag 1", "merchant", watched.merchantId, [{ token: "xrp", amount: 3n * DROPS_PER_XRP }]],
    ],
  );
  assert.deepEqual(await listHighestIndexes(watched.db), [{ env: "test", network: "xrp", index: 0 }]);
  const { rows } = await watched.database.database.pool.query("select count from address_counts");
  assert.deepEqual(rows, [{ count: "1" }]);
});

test("resolves it once for a merchant, who is credited and notified, with the original tag", async () => {
  const [unknown, tagless] = await unmatched();
  const resolved = await resolve(unknown!.id);
  assert.deepEqual(resolved.ok && resolved.credited, { token: "xrp", amount: 7n * DROPS_PER_XRP });
  assert.deepEqual(await resolve(unknown!.id, watched.merchantId), { ok: false, reason: "already_resolved" });
  assert.equal(await watched.balance(1), 7n * DROPS_PER_XRP);
  assert.deepEqual(
    (await unmatched()).map(({ id }) => id),
    [tagless!.id],
  );
  const event = (await watched.events()).at(-1);
  assert.equal(event?.type, "deposit_credited");
  const { tx_hash, extra, value, genesis, email } = event?.data ?? {};
  assert.deepEqual(
    [tx_hash, extra, value, genesis, email],
    [unknown!.txHash, "4000000000", "7", 0, "stall@example.com"],
  );
});

test("an advertisement's few drops fill no list, but at an allocated address they are money", async () => {
  const { address } = await watched.address();
  await world.pay(world.payer, world.account, 9_999n);
  await world.pay(world.payer, world.account, 1n, { DestinationTag: 77 });
  await world.pay(world.payer, address, 1n);
  await settled();
  await until("the credit", async () => (await watched.depositsTo(address))[0]?.status === "credited");
  assert.equal((await unmatched()).length, 1);
});

test("a tag that is allocated later receives everything from then on, and nothing from before", async () => {
  await world.pay(
    world.payer,
    encodeXAddress({ account: world.account, tag: 3 }, "test"),
    2n * DROPS_PER_XRP,
  );
  await settled();
  await until("it to be held", async () => (await unmatched()).length === 2);
  const { address, path } = await watched.address();
  assert.equal(path, "tag 3");
  await world.pay(world.payer, address, 4n * DROPS_PER_XRP);
  await settled();
  await until("the credit", async () => (await watched.depositsTo(address))[0]?.status === "credited");
  assert.deepEqual(
    (await watched.depositsTo(address)).map(({ amount }) => amount),
    [4n * DROPS_PER_XRP],
  );
  assert.equal((await unmatched()).length, 2);
});

test("money at a tag goes to nobody who allocates the tag later and asks for its transactions", async () => {
  const tagged = (tag: number) => encodeXAddress({ account: world.account, tag }, "test");
  const before = [await watched.balance(0), await watched.balance(1)] as const;
  const held = await world.pay(world.payer, tagged(5), 6n * DROPS_PER_XRP);
  const resolved = await world.pay(world.payer, tagged(5), 7n * DROPS_PER_XRP);
  const unlisted = await world.pay(world.payer, tagged(5), 9_999n);
  await settled();
  await until("both to be held", async () => (await unmatched()).length === 4);
  const { id } = (await unmatched()).find(({ txHash }) => txHash === resolved)!;
  assert.equal((await resolve(id)).ok, true);

  await watched.address();
  const taken = await watched.address();
  assert.equal(taken.path, "tag 5");
  const { db, paymentLinks, adapter } = watched;
  // The fake's ledgers are at least a second apart, so its clock is ahead of the database's.
  await db.execute(`update addresses set created_at = now() + interval '1 minute' where id = ${taken.id}`);
  const { database } = watched.database;
  const context = createWatchContext({ database, paymentLinks, log }, adapter);
  for (const hash of [held, resolved, unlisted]) {
    const act = programActAt(db, watched.merchantId);
    const answer = await requeryTransaction(act, { watch: context, text: hash });
    assert.deepEqual(answer, { ok: false, reason: "transaction_skipped" });
  }
  assert.deepEqual(
    [await watched.balance(0), await watched.balance(1)],
    [before[0], before[1] + 7n * DROPS_PER_XRP],
  );
  const rows = await db
    .select()
    .from(deposits)
    .where(inArray(deposits.txHash, [held, resolved, unlisted]))
    .orderBy(deposits.id);
  assert.deepEqual(
    rows.map(({ status, unmatchedReason }) => [status, unmatchedReason]),
    [
      ["held", "unknown_tag"],
      ["credited", "unknown_tag"],
      ["held", "before_allocation"],
    ],
  );
});

test("the tables refuse unassigned money as credited, and an account as someone's", async () => {
  const { pool } = watched.database.database;
  await assert.rejects(
    pool.query("update deposits set merchant_id = null where status = 1"),
    /deposits_owner/,
  );
  await assert.rejects(pool.query("update deposits set status = 1 where status = 3"), /deposits_owner/);
  await assert.rejects(
    pool.query("update addresses set purpose = 'merchant' where index = -1"),
    /addresses_owner/,
  );
  await assert.rejects(
    pool.query("update addresses set merchant_id = null where index = 0"),
    /addresses_owner/,
  );
});

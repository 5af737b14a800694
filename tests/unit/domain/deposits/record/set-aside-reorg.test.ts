/** A payment whose new place cannot be written after a reorganization is not held as credited at its old place. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sql } from "drizzle-orm";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { listAttention } from "#lib/domain/attention/queries.ts";
import { attention } from "#lib/domain/attention/tables.ts";
import { confirmDeposits } from "#lib/domain/deposits/record/confirm-deposits.ts";
import { insertCursor } from "#lib/domain/deposits/record/cursor-store.ts";
import { recordScan } from "#lib/domain/deposits/record/record-scan.ts";
import type { BlockRef, TransferObservation } from "#lib/domain/deposits/types.ts";
import { retryTransactions } from "#lib/domain/deposits/watch/retry-transactions.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { watchLockWaits } from "#tests/support/lock-waits.ts";
import { USDT } from "#tests/support/watched-chain.ts";
import { HASH, openOffline, SCOPE } from "../offline-chain.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const at = (height: number, branch: string): BlockRef => ({ height, hash: `${branch}${height}` });

/** A payment in block 11 of branch a. */
async function openPaid(t: TestContext) {
  const watched = await openOffline(t);
  const { db, merchantId } = watched;
  const { id: addressId, address } = await watched.address();
  /** The chain as the node has it: the payment's block, and the hash of every height. */
  const chain = { paid: null as BlockRef | null, branch: "a" };
  const payment = (block: BlockRef) => ({
    ...{ txHash: HASH, position: 0, token: "usdt", sender: null, amount: 5n * USDT },
    ...{ block: { ...block, time: NOW }, spends: [], unmatchedReason: null },
  });
  const adapter: NetworkAdapter = {
    ...watched.adapter,
    blocks: {
      ...watched.adapter.blocks,
      fetchHash: async (height) => at(height, chain.branch).hash,
      fetchHead: async () => ({ ...at(20, chain.branch), finalizedHeight: 20 }),
      scan: async ({ from, to }, ours) => {
        await ours([address]);
        const { paid } = chain;
        const isIn = paid !== null && paid.height >= from && paid.height <= to;
        const transfers = isIn ? [{ ...payment(paid), address, token: "usdt" as const }] : [];
        return {
          transfers,
          tipHash: at(to, chain.branch).hash,
          parentHash: at(from - 1, chain.branch).hash,
        };
      },
    },
  };
  const watch = watched.watchOf(adapter, NOW);
  await db.transaction((tx) => insertCursor(tx, SCOPE, { ...at(10, "a"), gap: null }, NOW));
  const scan = async (from: BlockRef, fork: BlockRef | null, to: BlockRef, paid: BlockRef | null) => {
    chain.paid = paid;
    chain.branch = to.hash.slice(0, 1);
    const observations = paid === null ? [] : [{ ...payment(paid), addressId, merchantId }];
    const step = { from, fork, to, blocks: [to], nodeHeight: to.height, mempool: null };
    await recordScan(
      watch,
      { ...step, observations: observations as unknown as TransferObservation[] },
      null,
      NOW,
    );
  };
  const confirm = (cursor: BlockRef) => confirmDeposits(watch, cursor, { finalizedHeight: cursor.height });
  const retry = async (cursor: BlockRef) => {
    await db.update(attention).set({ retryAt: new Date(0) });
    await retryTransactions(watch, { at: cursor, nodeHeight: cursor.height, waiting: null });
  };
  await scan(at(10, "a"), null, at(11, "a"), at(11, "a"));
  return { ...watched, watch, scan, confirm, retry };
}

/** It is credited. A reorganization moves it to block 13 of branch b, which cannot be written. */
async function open(t: TestContext) {
  const watched = await openPaid(t);
  const { db, scan, confirm } = watched;
  await confirm(at(11, "a"));
  assert.equal(await watched.balance(), 5n * USDT);
  await db.execute(sql`create function refuse_row() returns trigger language plpgsql as
    $$ begin raise numeric_value_out_of_range; end $$`);
  await db.execute(sql`create trigger refuse before update on deposits for each row
    when (new.block_hash = 'b13') execute function refuse_row()`);
  await scan(at(11, "a"), at(10, "a"), at(13, "b"), at(13, "b"));
  assert.equal((await listAttention(db, { after: null, limit: 9 })).length, 1, "it is set aside");
  return { ...watched, accept: () => db.execute(sql`drop trigger refuse on deposits`) };
}

test("a second reorganization that removes the transaction leaves no credit", async (t) => {
  const w = await open(t);
  await w.scan(at(13, "b"), at(12, "b"), at(14, "c"), null);
  await w.accept();
  await w.retry(at(14, "c"));
  await w.confirm(at(14, "c"));
  assert.equal(await w.balance(), 0n);
  assert.deepEqual(await listAttention(w.db, { after: null, limit: 9 }), []);
  assert.deepEqual((await w.ledger()).problems, []);
});

test("it is credited once when its new place can be written", async (t) => {
  const w = await open(t);
  assert.equal(await w.balance(), 0n);
  await w.accept();
  await w.retry(at(13, "b"));
  await w.confirm(at(13, "b"));
  assert.equal(await w.balance(), 5n * USDT);
  assert.equal((await w.deposits()).length, 1);
  await w.scan(at(13, "b"), at(12, "b"), at(14, "c"), null);
  assert.equal(await w.balance(), 0n);
  assert.deepEqual((await w.ledger()).problems, []);
});

/** No deposit can be credited from now on. */
async function refuseCredits({ db }: Awaited<ReturnType<typeof openPaid>>): Promise<void> {
  await db.execute(sql`create function refuse_credit() returns trigger language plpgsql as
    $$ begin raise numeric_value_out_of_range; end $$`);
  await db.execute(sql`create trigger refuse before update on deposits for each row
    when (new.status = 1) execute function refuse_credit()`);
}

test("a payment that leaves the chain takes the mark of its failed credit with it", async (t) => {
  const w = await openPaid(t);
  await refuseCredits(w);
  await w.confirm(at(11, "a"));
  assert.equal((await listAttention(w.db, { after: null, limit: 9 })).length, 1, "it is set aside");
  await w.scan(at(11, "a"), at(10, "a"), at(12, "b"), null);
  assert.deepEqual(await listAttention(w.db, { after: null, limit: 9 }), []);
});

/** A database whose second transaction begins when `mayBegin` resolves. `reached` resolves when it would begin. */
function holdSecond(db: Db, mayBegin: Promise<void>) {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  let count = 0;
  const transaction: Db["transaction"] = async (work, config) => {
    count += 1;
    if (count === 2) {
      resolve();
      await mayBegin;
    }
    return db.transaction(work, config);
  };
  const get = (target: Db, name: string | symbol) =>
    name === "transaction" ? transaction : Reflect.get(target, name);
  return { reached, db: new Proxy(db, { get }) };
}

/** The advisory lock in wait_at_commit. A transaction that has changed deposits waits for it at its commit. */
const COMMIT_GATE = 7331;

/** The acts of another process on a deposit while this one sets its failed credit aside. */
const OTHERS = {
  "takes it out of the chain": (w) => w.scan(at(11, "a"), at(10, "a"), at(12, "b"), null),
  "credits it": (w) => w.confirm(at(11, "a")),
} satisfies Record<string, (w: Awaited<ReturnType<typeof openPaid>>) => Promise<unknown>>;

for (const [name, act] of Object.entries(OTHERS)) {
  test(`a failed credit leaves no mark where another process ${name} at the same time`, async (t) => {
    const w = await openPaid(t);
    const { db } = w;
    const { pool } = w.database.database;
    await refuseCredits(w);
    const mayBegin = Promise.withResolvers<void>();
    const held = holdSecond(db, mayBegin.promise);
    const watch = { ...w.watch, database: { ...w.watch.database, db: held.db } };
    const failing = confirmDeposits(watch, at(11, "a"), { finalizedHeight: 11 });
    await held.reached;
    await db.execute(sql`drop trigger refuse on deposits`);
    await db.execute(sql`create function wait_at_commit() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(7331); return null; end $$`);
    await db.execute(sql`create constraint trigger gate after update on deposits deferrable initially deferred
      for each row execute function wait_at_commit()`);
    const gate = await pool.connect();
    await gate.query("select pg_advisory_lock($1)", [COMMIT_GATE]);
    const lockWait = await watchLockWaits(pool);
    const acting = act(w);
    await lockWait();
    mayBegin.resolve();
    // Without a lock, the mark is written while the other process is still about to commit.
    await Promise.race([failing, lockWait()]);
    await gate.query("select pg_advisory_unlock($1)", [COMMIT_GATE]);
    gate.release();
    await Promise.all([failing, acting]);
    assert.deepEqual(await listAttention(db, { after: null, limit: 9 }), []);
    const [deposit] = await w.deposits();
    assert.notEqual(deposit?.status, "seen", "the other process has come first");
  });
}

/** A requery reads only what a transaction pays one merchant. Transfers of it that were set aside are left to the retry. */

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sql } from "drizzle-orm";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { listAttention } from "#lib/domain/attention/queries.ts";
import { attention } from "#lib/domain/attention/tables.ts";
import { insertCursor } from "#lib/domain/deposits/record/cursor-store.ts";
import { recordScan } from "#lib/domain/deposits/record/record-scan.ts";
import { requeryTransaction } from "#lib/domain/deposits/requery/requery-transaction.ts";
import type { BlockRef } from "#lib/domain/deposits/types.ts";
import { scanTransfers } from "#lib/domain/deposits/watch/read-blocks.ts";
import { retryTransactions } from "#lib/domain/deposits/watch/retry-transactions.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { programActAt } from "#tests/support/acts.ts";
import { NO_TRANSACTIONS } from "#tests/support/idle-capabilities.ts";
import { USDT } from "#tests/support/watched-chain.ts";
import { HASH, openOffline, SCOPE } from "../offline-chain.ts";

const NOW = new Date();
const at = (height: number): BlockRef => ({ height, hash: `a${height}` });

/** Block 11 has a transaction that pays two merchants, and is set aside because the second's payment cannot be written. */
async function open(t: TestContext) {
  const watched = await openOffline(t);
  const { db } = watched;
  const [first, second] = await db.select({ id: merchants.id }).from(merchants).orderBy(merchants.id);
  const { address } = await watched.address();
  const other = watched.adapter.addresses.canonicalize((await watched.link(10, 1)).address) ?? "";
  const pay = (to: string, position: number, amount: bigint) => ({
    ...{ txHash: HASH, position, token: "usdt" as const, sender: null, amount },
    ...{ block: { ...at(11), time: NOW }, spends: [], unmatchedReason: null, address: to },
  });
  const transfers = [pay(address, 0, 5n * USDT), pay(other, 1, 10n * USDT)];
  const adapter: NetworkAdapter = {
    ...watched.adapter,
    blocks: {
      ...watched.adapter.blocks,
      fetchHash: async (height) => at(height).hash,
      fetchHead: async () => ({ ...at(20), finalizedHeight: 20 }),
      scan: async ({ from, to }, ours) => {
        await ours([address, other]);
        const isIn = from <= 11 && to >= 11;
        return { transfers: isIn ? transfers : [], tipHash: at(to).hash, parentHash: at(from - 1).hash };
      },
    },
    transactions: {
      ...NO_TRANSACTIONS,
      fetchStatus: async () => ({ kind: "confirmed", blockHeight: 11, blockHash: "a11" }),
    },
    nodes: { ...watched.adapter.nodes, withOne: (_options, work) => work(adapter, "n") },
  };
  const watch = watched.watchOf(adapter, NOW);
  await db.transaction((tx) => insertCursor(tx, SCOPE, { ...at(10), gap: null }, NOW));
  await db.execute(sql`create function refuse_row() returns trigger language plpgsql as
    $$ begin raise numeric_value_out_of_range; end $$`);
  await db.execute(
    sql.raw(`create trigger refuse before insert on deposits for each row
      when (new.amount = ${10n * USDT}) execute function refuse_row()`),
  );
  const { observations } = await scanTransfers(watch, 11, 20);
  const step = { from: at(10), fork: null, to: at(20), blocks: [at(20)], nodeHeight: 20, mempool: null };
  await recordScan(watch, { ...step, observations }, null, NOW);
  const listMarks = async () => (await listAttention(db, { after: null, limit: 9 })).length;
  assert.equal(await listMarks(), 1, "it is set aside");
  assert.deepEqual(await watched.deposits(), []);
  const requery = ({ id = 0 } = {}) => requeryTransaction(programActAt(db, id), { watch, text: HASH });
  return {
    listMarks,
    countDeposits: async () => (await watched.deposits()).length,
    requeryFirst: () => requery(first),
    requerySecond: () => requery(second),
    accept: () => db.execute(sql`drop trigger refuse on deposits`),
    /** How often the one mark was tried. */
    findMark: async () => {
      const [mark] = await db.select({ attempts: attention.attempts }).from(attention);
      assert.ok(mark);
      return mark;
    },
    forgetMarks: () => db.delete(attention),
    /** Another node shows the transaction so: first "a" for the first merchant's payment, "b" for the second's. */
    show: (order: string) => {
      const amounts = { a: [address, 5n * USDT], b: [other, 10n * USDT], c: [other, 2n * USDT] } as const;
      const shown = [...order].flatMap((letter, position) => {
        const paid = amounts[letter as keyof typeof amounts];
        return paid === undefined ? [] : [pay(paid[0], position, paid[1])];
      });
      transfers.splice(0, transfers.length, ...shown);
    },
    listDeposits: async () =>
      (await watched.deposits()).map(({ amount, status }) => `${amount / USDT} ${status}`).sort(),
    retry: async () => {
      await db.update(attention).set({ retryAt: new Date(0) });
      await retryTransactions(watch, { at: at(20), nodeHeight: 20, waiting: null });
    },
  };
}

test("a requery by one merchant keeps the mark by which the payment of another is retried", async (t) => {
  const w = await open(t);
  assert.deepEqual(await w.requeryFirst(), { ok: true, outcome: "confirmed", blockHeight: 11 });
  assert.deepEqual([await w.countDeposits(), await w.listMarks()], [1, 1]);
  await w.accept();
  await w.retry();
  assert.deepEqual([await w.countDeposits(), await w.listMarks()], [2, 0]);
});

test("the retry removes the mark when requeries have recorded everything", async (t) => {
  const w = await open(t);
  await w.accept();
  await w.requeryFirst();
  await w.requerySecond();
  assert.deepEqual([await w.countDeposits(), await w.listMarks()], [2, 1]);
  await w.retry();
  assert.deepEqual([await w.countDeposits(), await w.listMarks()], [2, 0]);
});

test("a payment in the place that another merchant's has at another node is recorded with it", async (t) => {
  const w = await open(t);
  await w.accept();
  await w.requeryFirst();
  await w.forgetMarks();
  w.show("ba");
  assert.deepEqual(await w.requerySecond(), { ok: true, outcome: "confirmed", blockHeight: 11 });
  assert.deepEqual([await w.countDeposits(), await w.listMarks()], [2, 0]);
});

test("a node that numbers all movements lower takes no payment away", async (t) => {
  const w = await open(t);
  await w.accept();
  w.show("-abc");
  await w.requeryFirst();
  await w.requerySecond();
  await w.retry();
  const credited = ["10 credited", "2 credited", "5 credited"];
  assert.deepEqual(await w.listDeposits(), credited);
  w.show("abc");
  assert.deepEqual(await w.requerySecond(), { ok: true, outcome: "already_credited" });
  assert.deepEqual([await w.listDeposits(), await w.listMarks()], [credited, 0]);
});

test("a node that shows another payment in the place of a recorded one is not believed, also by the retry", async (t) => {
  const w = await open(t);
  await w.accept();
  await w.requeryFirst();
  await w.forgetMarks();
  w.show("b");
  const skipped = { ok: false, reason: "transaction_skipped" };
  assert.deepEqual(await w.requerySecond(), skipped);
  await w.retry();
  const { attempts } = await w.findMark();
  assert.equal(attempts, 2);
  assert.deepEqual(await w.requerySecond(), skipped);
  assert.deepEqual(await w.findMark(), { attempts }, "asking again does not put the retry off");
  assert.deepEqual(await w.listDeposits(), ["5 credited"]);
  w.show("ba");
  await w.retry();
  assert.deepEqual([await w.listDeposits(), await w.listMarks()], [["10 seen", "5 credited"], 0]);
});

test("a retry that shows less than is recorded, and that elsewhere, keeps the mark", async (t) => {
  const w = await open(t);
  await w.accept();
  w.show("ab");
  await w.requeryFirst();
  await w.requerySecond();
  w.show("ca");
  assert.deepEqual(await w.requerySecond(), { ok: true, outcome: "already_credited" });
  w.show("-a");
  await w.retry();
  assert.deepEqual(await w.findMark(), { attempts: 2 });
  w.show("abc");
  await w.retry();
  assert.deepEqual(
    [await w.listDeposits(), await w.listMarks()],
    [["10 credited", "2 seen", "5 credited"], 0],
  );
});

test("a requery that cannot be written does not put the retry off", async (t) => {
  const w = await open(t);
  const { attempts } = await w.findMark();
  await w.requerySecond();
  assert.deepEqual(await w.findMark(), { attempts });
});

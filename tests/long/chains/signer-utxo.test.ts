import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "drizzle-orm";
import { aReceiver, utxoWorld } from "#tests/support/utxo-world.ts";

test("pays a hundred with one transaction, and makes small coins one while the fee is low", async (t) => {
  const w = await utxoWorld(t);
  await w.deposit(Array.from({ length: 40 }, (_, at) => 4 + at / 10));
  const made = [];
  for (let number = 0; number < 100; number++) made.push(await w.create(1));
  // On a chain of other tests the node may know a higher rate.
  await w.step(w.start({}, w.asking(1)));
  assert.deepEqual(
    w.journal().map(({ payouts }) => payouts.length),
    [100],
  );
  const { vsize, fees } = await w.bitcoin.call<{ vsize: number; fees: { base: number } }>(
    "getmempoolentry",
    w.journal()[0]?.hash,
  );
  t.diagnostic(`100 payouts: ${vsize} vbytes, ${(fees.base * 1e8) / vsize} sat/vB`);
  assert.ok(
    Math.round(fees.base * 1e8) - vsize <= 25,
    "the fee is a quarter of a satoshi for an input too high",
  );
  await w.settle();
  const open = await w.db.execute(sql`select count(*) as n from withdrawals where status <> 3`);
  assert.equal(Number(open.rows[0]?.n), 0);

  const policy = { max_fee_per_vbyte: "50", consolidate_below: "1.5" };
  await w.step(w.start(policy, w.asking(2)));
  assert.equal(w.journal().length, 1, "the fee is not low");
  const careful = w.start(policy, w.asking(1));
  for (let step = 0; step < 2; step++) await w.step(careful);
  const [, consolidation] = w.journal();
  assert.deepEqual([consolidation?.kind, w.journal().length], ["consolidation", 2]);
  assert.ok((consolidation?.spends.length ?? 0) >= 20);
  const more = await w.create(3);
  await w.step(careful);
  await w.settle();
  assert.equal((await w.row(more.id)).status, "completed");
  // The excess above the maximum goes to the cold address, down to the target.
  const cold = aReceiver(w.setup.chain);
  const hot = { hot_target: "0.01", hot_maximum: "0.02" };
  await w.step(w.start({ cold, ...w.limit(hot) }));
  const last = w.journal().at(-1);
  const [moved] = last?.moves ?? [];
  assert.deepEqual([last?.kind, moved?.to], ["cold", cold]);
  await w.settle();
  assert.equal(await w.balance(cold), moved?.amount);
  await w.booksAgree();
});

/** The signer pays on bitcoin, litecoin and dogecoin from the deposits themselves: many withdrawals with one transaction, each once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { openOwnKeys } from "#lib/signer/utxo/own-keys.ts";
import { addressOf } from "#tests/support/bitcoind.ts";
import { aReceiver, SETUPS, utxoWorld } from "#tests/support/utxo-world.ts";
import { fund } from "#tests/support/withdrawals.ts";

for (const name of ["bitcoin", "litecoin", "dogecoin"] as const)
  test(`on ${name} it pays a batch of withdrawals from deposits, then from its change`, async (t) => {
    const w = await utxoWorld(t, SETUPS[name]);
    await w.deposit([5, 3]);
    const signer = w.start();
    const made = [await w.create(2), await w.create(3), await w.create(1)];
    await w.step(signer);
    assert.deepEqual([...signer.held], []);
    const [first] = w.journal();
    assert.deepEqual(
      first?.payouts.map(({ refid }) => refid),
      made.map(({ refid }) => refid),
    );
    assert.equal(first?.spends.length, 2);
    const next = await w.create(1);
    await w.step(signer);
    const [, second] = w.journal();
    assert.ok(
      second?.spends.every((one) => one.startsWith(`${first?.hash}:`)),
      "the change, which waits",
    );
    await w.settle();
    for (const { id, toAddress, amount } of [...made, next]) {
      assert.equal((await w.row(id)).status, "completed");
      assert.equal(await w.balance(toAddress), amount);
    }
    for (let again = 0; again < 2; again++) await w.step(w.start());
    assert.equal(w.journal().length, 2);
    await w.booksAgree();
  });

test("what may not or cannot be paid waits with its reason, and costs the others nothing", async (t) => {
  const w = await utxoWorld(t);
  const { db, adapter, setup, merchantId } = w;
  await w.deposit([50]);
  // Rows that somebody wrote: outputs that are not on the chain, of another amount, and not ours.
  await fund(db, adapter, merchantId, 900n * setup.unit, "btc");
  const real = await w.deposit([20]);
  await db
    .update(deposits)
    .set({ amount: 800n * setup.unit })
    .where(eq(deposits.txHash, real));
  const held = async (refid: string, policy: object) => {
    const signer = w.start(policy);
    await w.step(signer);
    return signer.held.get(refid);
  };
  const { refid } = await w.create(10);
  assert.equal(await held(refid, { max_fee_per_vbyte: "0.999" }), "network_fee_too_high");
  assert.equal(await held(refid, w.limit({ per_transfer: "0.009" })), "above_per_transfer");
  assert.equal(
    await held(refid, w.limit({ allow_only: [aReceiver(setup.chain)] })),
    "destination_not_allowed",
  );
  assert.deepEqual(w.journal(), []);
  const tooMuch = await w.create(60);
  const change = openOwnKeys(w.account, "p2wpkh").child({ branch: 1, index: 0 }).script.subarray(2);
  const toItself = await w.create(1, addressOf(setup.chain, change));
  const lost = await w.point(await w.create(1), addressOf(setup.chain, new Uint8Array(20)));
  const small = await w.create(1);
  await db.update(withdrawals).set({ amount: 293n }).where(eq(withdrawals.id, small.id));
  const signer = w.start();
  await w.step(signer);
  assert.deepEqual(
    new Map(signer.held),
    new Map([
      [tooMuch.refid, "hot_balance_too_low"],
      [toItself.refid, "destination_unsafe"],
      [lost.refid, "destination_unsafe"],
      [small.refid, "below_minimum"],
    ]),
  );
  assert.deepEqual(
    w.journal().flatMap(({ payouts }) => payouts.map((one) => one.refid)),
    [refid],
  );
  // A payout that nodes would not relay is found among many, and does not stop them.
  const refused = await w.create(1);
  const others = [await w.create(1), await w.create(2), await w.create(1)];
  const bad = (await w.bitcoin.call<{ scriptPubKey: string }>("getaddressinfo", refused.toAddress))
    .scriptPubKey;
  let now = Date.now();
  const picks = w.answering((sending) => ({
    findRefusal: async (raw) => (raw.includes(bad) ? "scriptpubkey" : sending.findRefusal(raw)),
  }));
  const picky = w.start({}, { ...picks, now: () => new Date(now) });
  for (let step = 0; step < 2; step++) {
    await w.step(picky);
    now += 60_000;
  }
  assert.equal(picky.held.get(refused.refid), "would_fail");
  await w.settle();
  for (const { id } of others) assert.equal((await w.row(id)).status, "completed");
});

test("killed, restored or changed, it pays each withdrawal once with the transaction of its journal", async (t) => {
  const w = await utxoWorld(t);
  await w.deposit([50, 40, 30, 20, 10]);
  const one = await w.create(5);
  const two = await w.create(6);
  await assert.rejects(w.step(w.start({}, { journal: w.dyingJournal() })), /killed/);
  assert.deepEqual([(await w.row(one.id)).status, await w.mempool()], ["pending", []]);
  await w.step(w.start());
  assert.deepEqual(await w.mempool(), [w.journal()[0]?.hash]);
  // The database is restored from before, and one withdrawal of the batch is changed.
  const back = { status: "pending", txHash: null, transactions: [], processedAt: null } as const;
  await w.db.update(withdrawals).set(back);
  await w.db
    .update(withdrawals)
    .set({ toAddress: aReceiver(w.setup.chain) })
    .where(eq(withdrawals.id, two.id));
  const signer = w.start();
  await w.step(signer);
  assert.equal(signer.held.get(two.refid), "signed_otherwise");
  await w.db.update(withdrawals).set({ toAddress: two.toAddress }).where(eq(withdrawals.id, two.id));
  await w.step(w.start());
  await w.settle();
  for (const { id, toAddress, amount } of [one, two])
    assert.deepEqual([(await w.row(id)).status, await w.balance(toAddress)], ["completed", amount]);
  assert.equal(w.journal().length, 1);

  const three = await w.create(7);
  await w.step(w.start());
  // A reorganization drops it, and the node forgets it.
  await w.bitcoin.mine();
  await w.step(w.start());
  await w.bitcoin.reorg(1, "without");
  assert.deepEqual(await w.mempool(), [w.journal()[1]?.hash]);
  await w.step(w.start());
  await w.settle();
  await w.step(w.start());
  assert.deepEqual([(await w.row(three.id)).status, w.journal().length], ["completed", 2]);
  assert.equal(await w.balance(three.toAddress), three.amount);
  await w.booksAgree();
});

test("a batch of which one withdrawal was canceled before it was stored is never sent, and the others are paid again", async (t) => {
  const w = await utxoWorld(t);
  await w.deposit([50]);
  const [one, two] = [await w.create(5), await w.create(6)];
  await assert.rejects(w.step(w.start({}, { journal: w.dyingJournal() })), /killed/);
  assert.ok((await w.fail(one.refid)).ok);
  let now = Date.now();
  const signer = w.start({}, { now: () => new Date(now) });
  await w.step(signer);
  assert.deepEqual(
    w.journal().map(({ kind }) => kind),
    ["payout", "cancel"],
  );
  assert.deepEqual(await w.mempool(), [w.journal()[1]?.hash]);
  await w.settle();
  for (let step = 0; step < 2; step++) {
    now += 60_000;
    await w.step(signer);
  }
  await w.settle();
  assert.deepEqual([(await w.row(one.id)).status, (await w.row(two.id)).status], ["failed", "completed"]);
  assert.deepEqual([await w.balance(one.toAddress), await w.balance(two.toAddress)], [0n, two.amount]);
  assert.equal(w.journal().length, 3);
  await w.booksAgree();
});

for (const name of ["bitcoin", "litecoin"] as const)
  test(`on ${name} a payment that waits below the network's fee is replaced with the same payouts, and one of them pays`, async (t) => {
    const w = await utxoWorld(t, SETUPS[name]);
    await w.deposit([50]);
    const made = [await w.create(20), await w.create(21)];
    await w.step(w.start());
    const child = await w.create(5);
    await w.step(w.start());
    const [first, second] = w.journal();
    assert.ok(first && second);
    // Above the cap it stays. Below, the last of the chain is replaced and pays for those before it.
    const later = { ...w.asking(20), now: () => new Date(Date.now() + 3_600_000) };
    await w.step(w.start({ max_fee_per_vbyte: "15" }, later));
    assert.equal(w.journal().length, 2);
    const signer = w.start({}, later);
    await w.step(signer);
    await w.step(signer);
    const [, , third] = w.journal();
    assert.equal(w.journal().length, 3);
    const waits = await w.mempool();
    assert.ok(third);
    assert.deepEqual([waits.length, waits.includes(third.hash)], [2, true]);
    const entry = await w.bitcoin.call<{ ancestorsize: number; fees: { ancestor: number } }>(
      "getmempoolentry",
      third.hash,
    );
    const fee = Math.round(entry.fees.ancestor * 1e8);
    assert.ok(fee / entry.ancestorsize >= 20, "the rate of all that wait together");
    await w.settle();
    await w.step(signer);
    for (const { id, toAddress, amount } of [...made, child])
      assert.deepEqual([(await w.row(id)).status, await w.balance(toAddress)], ["completed", amount]);
    await w.booksAgree();
  });

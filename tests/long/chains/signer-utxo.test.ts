/** The signer pays on bitcoin, litecoin and dogecoin from the deposits themselves: many withdrawals with one transaction, each once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eq, sql } from "drizzle-orm";
import type { UtxoSending } from "#lib/chains/utxo/sending.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { openJournal } from "#lib/signer/journal.ts";
import { openOwnKeys } from "#lib/signer/utxo/own-keys.ts";
import { addressOf, shareLitecoind } from "#tests/support/bitcoind.ts";
import { LONG } from "#tests/support/fault-random.ts";
import { aReceiver, policyText, SETUPS, type UtxoWorld, utxoWorld } from "#tests/support/utxo-world.ts";
import { fund } from "#tests/support/withdrawals.ts";

/** The world's signer with other answers of the node. */
function startWith(
  w: UtxoWorld,
  changes: (sending: UtxoSending) => Partial<UtxoSending>,
  { policy, now }: { policy?: string; now?: () => Date } = {},
) {
  const { sending } = w.adapter;
  assert.ok(sending?.kind === "utxo");
  const adapter = Object.assign(Object.create(w.adapter), { sending: { ...sending, ...changes(sending) } });
  return w.start(policy, { networks: { ...w.networks, all: () => [adapter] }, ...(now && { now }) });
}

/** Asks for a rate of so many satoshis for a virtual byte. */
const asking = (perByte: number) => (sending: UtxoSending) => ({
  fetchState: async () => ({ ...(await sending.fetchState()), rate: BigInt(perByte * 1_000) }),
});
const LATER = { now: () => new Date(Date.now() + 3_600_000) };

/** A signer that dies when it has written the journal, before the database and the node know. */
async function killAfterJournal(w: UtxoWorld): Promise<void> {
  const dying = openJournal(w.journalPath);
  const { append } = dying;
  dying.append = (entry) => {
    append(entry);
    throw new Error("killed");
  };
  await assert.rejects(w.step(w.start(undefined, { journal: dying })), /killed/);
}

const mempool = (w: UtxoWorld) => w.bitcoin.call<string[]>("getrawmempool");

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
      assert.equal((await w.row(id)).status, 3);
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
  const held = async (refid: string, policy?: string) => {
    const signer = w.start(policy);
    await w.step(signer);
    return signer.held.get(refid);
  };
  const { refid } = await w.create(10);
  const { data } = setup;
  assert.equal(
    await held(refid, policyText(data, {}, { max_fee_per_vbyte: "0.999" })),
    "network_fee_too_high",
  );
  assert.equal(await held(refid, policyText(data, { per_transfer: "0.009" })), "above_per_transfer");
  assert.equal(
    await held(refid, policyText(data, { allow_only: [aReceiver(setup.chain)] })),
    "destination_not_allowed",
  );
  assert.deepEqual(w.journal(), []);
  const tooMuch = await w.create(60);
  const change = openOwnKeys(w.account, "p2wpkh").child({ branch: 1, index: 0 }).script.subarray(2);
  const toItself = await w.create(1, addressOf(setup.chain, change));
  const lost = await w.create(1, addressOf(setup.chain, new Uint8Array(20)));
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
  // One that nodes would not relay is found among many, and does not stop them.
  const refused = await w.create(1);
  const others = [await w.create(1), await w.create(2), await w.create(1)];
  const bad = (await w.bitcoin.call<{ scriptPubKey: string }>("getaddressinfo", refused.toAddress))
    .scriptPubKey;
  let now = Date.now();
  const picky = startWith(
    w,
    (sending) => ({
      findRefusal: async (raw) => (raw.includes(bad) ? "scriptpubkey" : sending.findRefusal(raw)),
    }),
    { now: () => new Date(now) },
  );
  for (let step = 0; step < 2; step++) {
    await w.step(picky);
    now += 60_000;
  }
  assert.equal(picky.held.get(refused.refid), "would_fail");
  await w.settle();
  for (const { id } of others) assert.equal((await w.row(id)).status, 3);
});

test("killed, restored or changed, it pays each withdrawal once with the transaction of its journal", async (t) => {
  const w = await utxoWorld(t);
  await w.deposit([50, 40, 30, 20, 10]);
  const one = await w.create(5);
  const two = await w.create(6);
  await killAfterJournal(w);
  assert.deepEqual([(await w.row(one.id)).status, await mempool(w)], [0, []]);
  await w.step(w.start());
  assert.deepEqual(await mempool(w), [w.journal()[0]?.hash]);
  // The database is restored from before, and one withdrawal of the batch is changed.
  const back = { status: 0, txHash: null, transactions: [], processedAt: null } as const;
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
    assert.deepEqual([(await w.row(id)).status, await w.balance(toAddress)], [3, amount]);
  assert.equal(w.journal().length, 1);

  const three = await w.create(7);
  await w.step(w.start());
  // A reorganization drops it, and the node forgets it.
  await w.bitcoin.mine();
  await w.step(w.start());
  await w.bitcoin.reorg(1, "without");
  assert.deepEqual(await mempool(w), [w.journal()[1]?.hash]);
  await w.step(w.start());
  await w.settle();
  await w.step(w.start());
  assert.deepEqual([(await w.row(three.id)).status, w.journal().length], [3, 2]);
  assert.equal(await w.balance(three.toAddress), three.amount);
  await w.booksAgree();
});

test("a batch of which one withdrawal was cancelled before it was stored is never sent, and the others are paid again", async (t) => {
  const w = await utxoWorld(t);
  await w.deposit([50]);
  const [one, two] = [await w.create(5), await w.create(6)];
  await killAfterJournal(w);
  assert.ok((await w.fail(one.refid)).ok);
  let now = Date.now();
  const signer = w.start(undefined, { now: () => new Date(now) });
  await w.step(signer);
  assert.deepEqual(
    w.journal().map(({ kind }) => kind),
    ["payout", "cancel"],
  );
  assert.deepEqual(await mempool(w), [w.journal()[1]?.hash]);
  await w.settle();
  for (let step = 0; step < 2; step++) {
    now += 60_000;
    await w.step(signer);
  }
  await w.settle();
  assert.deepEqual([(await w.row(one.id)).status, (await w.row(two.id)).status], [2, 3]);
  assert.deepEqual([await w.balance(one.toAddress), await w.balance(two.toAddress)], [0n, two.amount]);
  assert.equal(w.journal().length, 3);
  await w.booksAgree();
});

/** Networks whose node replaces transactions. Litecoin Core does so with an option, and is only asked in the long form. */
const REPLACING = Object.entries({
  bitcoin: SETUPS.bitcoin,
  ...(LONG && {
    litecoin: {
      ...SETUPS.litecoin,
      open: () => shareLitecoind({ configuration: ["dustrelayfee=0.0003", "mempoolreplacement=1"] }),
    },
  }),
});

for (const [name, setup] of REPLACING)
  test(`on ${name} a payment that waits below the network's fee is replaced with the same payouts, and one of them pays`, async (t) => {
    const w = await utxoWorld(t, setup);
    await w.deposit([50]);
    const made = [await w.create(20), await w.create(21)];
    await w.step(w.start());
    const child = await w.create(5);
    await w.step(w.start());
    const [first, second] = w.journal();
    assert.ok(first && second);
    // Above the cap it stays. Below, the last of the chain is replaced and pays for those before it.
    const capped = policyText(w.setup.data, {}, { max_fee_per_vbyte: "15" });
    await w.step(startWith(w, asking(20), { policy: capped, ...LATER }));
    assert.equal(w.journal().length, 2);
    const signer = startWith(w, asking(20), LATER);
    await w.step(signer);
    await w.step(signer);
    const [, , third] = w.journal();
    assert.equal(w.journal().length, 3);
    const waits = await mempool(w);
    assert.ok(third);
    assert.deepEqual([waits.length, waits.includes(third.hash)], [2, true]);
    const entry = await w.bitcoin.call<{ ancestorsize: number; fees: { ancestor: number } }>(
      "getmempoolentry",
      third.hash,
    );
    assert.ok((entry.fees.ancestor * 1e8) / entry.ancestorsize >= 20, "the rate of all that wait together");
    await w.settle();
    await w.step(signer);
    for (const { id, toAddress, amount } of [...made, child])
      assert.deepEqual([(await w.row(id)).status, await w.balance(toAddress)], [3, amount]);
    await w.booksAgree();
  });

test("pays a hundred with one transaction, and makes small coins one while the fee is low", async (t) => {
  const w = await utxoWorld(t);
  await w.deposit(Array.from({ length: 40 }, (_, at) => 4 + at / 10));
  const made = [];
  for (let number = 0; number < 100; number++) made.push(await w.create(1));
  const signer = w.start();
  await w.step(signer);
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

  const limits = { max_fee_per_vbyte: "50", consolidate_below: "1.5" };
  const policy = policyText(w.setup.data, {}, limits);
  await w.step(startWith(w, asking(2), { policy }));
  assert.equal(w.journal().length, 1, "the fee is not low");
  const careful = w.start(policy);
  for (let step = 0; step < 2; step++) await w.step(careful);
  const [, consolidation] = w.journal();
  assert.deepEqual([consolidation?.kind, w.journal().length], ["consolidation", 2]);
  assert.ok((consolidation?.spends.length ?? 0) >= 20);
  const more = await w.create(3);
  await w.step(careful);
  await w.settle();
  assert.equal((await w.row(more.id)).status, 3);
  // What is above the maximum goes to the cold address, down to the target.
  const cold = aReceiver(w.setup.chain);
  const hot = { hot_target: "0.01", hot_maximum: "0.02" };
  await w.step(w.start(policyText(w.setup.data, hot, { cold })));
  const last = w.journal().at(-1);
  const [moved] = last?.moves ?? [];
  assert.deepEqual([last?.kind, moved?.to], ["cold", cold]);
  await w.settle();
  assert.equal(await w.balance(cold), moved?.amount);
  await w.booksAgree();
});

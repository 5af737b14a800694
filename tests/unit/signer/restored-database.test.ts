/** The signer with a database that is older than its journal. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { outgoingTransactions, withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { aWithdrawal, USDT } from "#tests/support/withdrawals.ts";
import { aWorld, EMAIL, place } from "./fake-chain.ts";

/** Pays a withdrawal with hash-1, to its end, and restores a database that is older than the withdrawal. */
async function payAndForget(w: Awaited<ReturnType<typeof aWorld>>, { id }: { readonly id: number }) {
  await w.payer().step();
  w.outcomes.set("hash-1", "final");
  w.clock.now += 60_000;
  await w.payer().step();
  await w.db.delete(withdrawals).where(eq(withdrawals.id, id));
}

/** A person names the payment of before the restore, hash-1, as that of a new withdrawal. */
const enterAgain = (
  { db, clock }: Awaited<ReturnType<typeof aWorld>>,
  { id, amount }: { readonly id: number; readonly amount: bigint },
) =>
  db
    .update(withdrawals)
    .set({
      ...{ status: "processing", txHash: "hash-1", amount },
      transactions: [{ hash: "hash-1", namedAt: new Date(clock.now).toISOString(), spends: [], block: null }],
    })
    .where(eq(withdrawals.id, id));

test("a reference that the database has twice gets one payment, and counts as much as it pays", async (t) => {
  const w = await aWorld(t, { mostPayouts: 3 });
  const made = [await w.ask(), await w.ask(), await w.ask()];
  await w.db.execute("alter table withdrawals drop constraint withdrawals_refid_unique");
  await w.db.update(withdrawals).set({ refid: made[0]!.refid });
  for (let again = 0; again < 2; again++) await w.payer().step();
  assert.deepEqual(w.entries(), [["payout", "hash-1", 1]]);
});

test("a database from before the payouts gets all of a transaction's withdrawals back, also when it is final", async (t) => {
  const w = await aWorld(t, { mostPayouts: 3 });
  const made = [await w.ask(), await w.ask()];
  const ids = made.map(({ id }) => id);
  await w.payer().step();
  w.outcomes.set("hash-1", "final");
  await w.payer().step();
  await w.db.update(withdrawals).set({ status: "pending", txHash: null, transactions: [] });
  await w.db.delete(outgoingTransactions);
  await w.payer().step();
  assert.deepEqual(await w.rows(ids), [
    ["processing", ["hash-1"]],
    ["processing", ["hash-1"]],
  ]);
  // One of them set back and changed: nothing is paid, and it is an alarm.
  await w.db
    .update(withdrawals)
    .set({ status: "pending", transactions: [], toAddress: place(9) })
    .where(eq(withdrawals.id, ids[0]!));
  const payer = w.payer();
  await payer.step();
  assert.deepEqual([...payer.held], [[made[0]!.refid, "signed_otherwise"]]);
  assert.equal(w.entries().length, 1);
});

test("a database from before a move gets its transaction back, also when it is final, so that its fee is in the books", async (t) => {
  const w = await aWorld(t);
  const swept = { token: "usdt", amount: 5n, from: place(1), to: place(0) } as const;
  const sign = async () => ({ hash: "swept", raw: "raw" });
  const cost = { fee: 1n, most: 1n };
  w.moves.push({ kind: "sweep", moves: [swept], spends: ["input-x"], expires: null, cost, sign });
  await w.payer().step();
  w.outcomes.set("swept", "final");
  w.clock.now += 30_000;
  await w.payer().step();
  const stored = () => w.db.select({ hash: outgoingTransactions.hash }).from(outgoingTransactions);
  await w.db.delete(outgoingTransactions);
  const payer = w.payer();
  await payer.step();
  assert.deepEqual(await stored(), [{ hash: "swept" }]);
  assert.equal(payer.alarms.get("transaction_missing"), 1);
  await payer.step();
  assert.equal(payer.alarms.get("transaction_missing"), 1);
  assert.deepEqual(w.sent, ["swept"], "it is not sent again");
});

test("what a restored database has forgotten is an alarm, and the same payment again waits for approvers", async (t) => {
  const w = await aWorld(t);
  const first = await w.ask(place(7));
  await payAndForget(w, first);
  // The payee is paid again by a person who does not know.
  const [again, other] = [await w.ask(place(7)), await w.ask(place(8))];
  const payer = w.payer();
  await payer.step();
  assert.deepEqual([...payer.held], [[again.refid, "paid_before"]]);
  assert.equal(payer.alarms.get("withdrawal_missing"), 1);
  assert.deepEqual(
    w.entries().map(([kind, hash]) => [kind, hash]),
    [
      ["payout", "hash-1"],
      ["payout", "hash-2"],
    ],
  );
  assert.equal((await w.rows([other.id]))[0]?.[0], "processing");
});

test("a forgotten payment is an alarm until it is entered again with its transaction", async (t) => {
  const w = await aWorld(t);
  const first = await w.ask(place(7));
  await payAndForget(w, first);
  const [again, later] = [await w.ask(place(7)), await w.ask(place(7))];
  const payer = w.payer();
  const alarmsAfterAnHour = async () => {
    w.clock.now += 3_600_000;
    await payer.step();
    return payer.alarms.get("withdrawal_missing");
  };
  await payer.step();
  assert.equal(await alarmsAfterAnHour(), 2);
  await enterAgain(w, { id: again.id, amount: again.amount - 1n });
  assert.equal(await alarmsAfterAnHour(), 3, "it is another payment");
  await enterAgain(w, again);
  assert.equal(await alarmsAfterAnHour(), 3);
  assert.deepEqual([...payer.held], [[later.refid, "paid_before"]], "what equals it waits all the same");
});

test("a request with its idempotency key is the same withdrawal after a restore, and gets its payment back", async (t) => {
  const w = await aWorld(t);
  const request = { amount: USDT, to: place(9), idempotencyKey: "api:order-7" };
  const first = await aWithdrawal(w.deps, EMAIL, request);
  await w.payer().step();
  await w.db.delete(withdrawals).where(eq(withdrawals.id, first.id));
  const again = await aWithdrawal(w.deps, EMAIL, request);
  assert.equal(again.refid, first.refid);
  const payer = w.payer();
  await payer.step();
  assert.deepEqual([...payer.held], []);
  assert.deepEqual([w.entries().length, await w.rows([again.id])], [1, [["processing", ["hash-1"]]]]);
  const next = await aWithdrawal(w.deps, EMAIL, { ...request, idempotencyKey: "api:order-8" });
  assert.notEqual(next.refid, first.refid);
});

test("a payment that was entered again stops nobody when its request comes again, too", async (t) => {
  const w = await aWorld(t);
  const request = { amount: USDT, to: place(7), idempotencyKey: "api:order-7" };
  const first = await aWithdrawal(w.deps, EMAIL, request);
  await payAndForget(w, first);
  const entered = await w.ask(place(7));
  await enterAgain(w, entered);
  const again = await aWithdrawal(w.deps, EMAIL, request);
  assert.equal(again.refid, first.refid);
  const other = await w.ask(place(8));
  const payer = w.payer();
  await payer.step();
  assert.deepEqual([...payer.held], [[again.refid, "signed_otherwise"]]);
  assert.deepEqual(await w.rows([again.id, other.id]), [
    ["pending", []],
    ["processing", ["hash-2"]],
  ]);
  // The way out: it is failed, and nothing is canceled or counted as missing.
  assert.ok((await w.fail(again.refid)).ok);
  const next = w.payer();
  await next.step();
  assert.deepEqual([[...next.held], next.alarms.get("withdrawal_missing")], [[], 0]);
  assert.deepEqual(
    w.entries().map(([kind]) => kind),
    ["payout", "payout"],
  );
});

test("of several payouts of a transaction, one that was entered again keeps the others neither unpaid nor waiting", async (t) => {
  const w = await aWorld(t, { mostPayouts: 3 });
  const requests = [7, 8].map((n) => ({ amount: USDT, to: place(n), idempotencyKey: `api:order-${n}` }));
  const ask = async () => {
    const made = [];
    for (const request of requests) made.push(await aWithdrawal(w.deps, EMAIL, request));
    return made;
  };
  await ask();
  await w.payer().step();
  await w.db.delete(withdrawals);
  await w.db.delete(outgoingTransactions);
  await enterAgain(w, await w.ask(place(7)));
  const [duplicate, other] = await ask();
  const atBroadcast: unknown[] = [];
  t.mock.method(w.chain, "broadcast", async () => void atBroadcast.push(...(await w.rows([other!.id]))));
  for (let steps = 0; steps < 2; steps++) {
    const payer = w.payer();
    await payer.step();
    assert.deepEqual([...payer.held], [[duplicate!.refid, "signed_otherwise"]]);
  }
  assert.deepEqual(await w.rows([duplicate!.id, other!.id]), [
    ["pending", []],
    ["processing", ["hash-1"]],
  ]);
  // It is broadcast while it is in no block, and not before the other can no longer be declined.
  assert.deepEqual(atBroadcast[0], ["processing", ["hash-1"]]);
  assert.deepEqual(w.entries(), [["payout", "hash-1", 2]]);
});

test("a request that asks for something else with its key after a restore hides no payment that the database has forgotten", async (t) => {
  const w = await aWorld(t);
  const request = { amount: USDT, to: place(9), idempotencyKey: "api:order-7" };
  const first = await aWithdrawal(w.deps, EMAIL, request);
  await payAndForget(w, first);
  const other = await aWithdrawal(w.deps, EMAIL, { ...request, to: place(8) });
  assert.equal(other.refid, first.refid);
  const again = await w.ask(place(9));
  const payer = w.payer();
  await payer.step();
  assert.equal(payer.alarms.get("withdrawal_missing"), 1);
  assert.deepEqual(
    [...payer.held],
    [
      [other.refid, "signed_otherwise"],
      [again.refid, "paid_before"],
    ],
  );
  assert.equal(w.entries().length, 1);
});

test("a withdrawal that is declined after a restore, although it was paid, is an alarm", async (t) => {
  const w = await aWorld(t);
  const { id, refid } = await w.ask(place(9));
  await w.payer().step();
  w.outcomes.set("hash-1", "final");
  w.clock.now += 60_000;
  await w.payer().step();
  await w.db
    .update(withdrawals)
    .set({ status: "pending", txHash: null, transactions: [] })
    .where(eq(withdrawals.id, id));
  assert.ok((await w.fail(refid)).ok);
  const again = await w.ask(place(9));
  const payer = w.payer();
  await payer.step();
  assert.equal(payer.alarms.get("withdrawal_missing"), 1);
  assert.deepEqual([...payer.held], [[again.refid, "paid_before"]]);
});

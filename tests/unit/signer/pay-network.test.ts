/** The signer's loop on a chain that is a fake: transactions wait, die and become final as the test says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { outgoingTransactions, withdrawals } from "#lib/domain/withdrawals/tables.ts";
import type { MoveDraft } from "#lib/signer/chain-signer.ts";
import { openJournal } from "#lib/signer/journal.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import { aWithdrawal, USDT } from "#tests/support/withdrawals.ts";
import { aWorld, EMAIL, place } from "./fake-chain.ts";

test("one transaction pays as many as the chain allows, and no address twice", async (t) => {
  const w = await aWorld(t, { mostPayouts: 3 });
  const made = [
    await w.ask(place(1)),
    await w.ask(place(1)),
    await w.ask(place(2)),
    await w.ask(place(3)),
    await w.ask(place(4)),
  ];
  w.refused.set(made[2]!.refid, "would_fail");
  const payer = w.payer();
  await payer.step();
  assert.deepEqual(w.entries(), [
    ["payout", "hash-1", 2],
    ["payout", "hash-2", 1],
  ]);
  assert.deepEqual([...payer.held], [[made[2]!.refid, "would_fail"]]);
  await payer.step();
  assert.deepEqual(
    (await w.rows(made.map(({ id }) => id))).map(([, hashes]) => hashes),
    [["hash-1"], ["hash-3"], [], ["hash-1"], ["hash-2"]],
  );
});

test("a transaction that has expired is followed by another, once, with the policy's limits", async (t) => {
  const w = await aWorld(t, { expires: true });
  const { id } = await w.ask();
  const payer = w.payer();
  await payer.step();
  await payer.step();
  assert.deepEqual(w.sent, ["hash-1", "hash-1"]);
  w.outcomes.set("hash-1", "dead");
  w.clock.now += 60_000;
  await payer.step();
  assert.deepEqual(await w.rows([id]), [["processing", ["hash-1", "hash-2"]]]);
  // Also for a signer that was started again between the two.
  w.outcomes.set("hash-2", "dead");
  w.clock.now += 60_000;
  await w.dieAfterJournal();
  assert.deepEqual(await w.rows([id]), [["processing", ["hash-1", "hash-2"]]]);
  const next = w.payer();
  await next.step();
  assert.deepEqual(await w.rows([id]), [["processing", ["hash-1", "hash-2", "hash-3"]]]);
  assert.deepEqual(w.sent.slice(-1), ["hash-3"]);
  w.outcomes.set("hash-3", "final");
  for (let again = 0; again < 3; again++) await w.payer().step();
  assert.equal(w.entries().length, 3);
});

const setMerchant = (w: Awaited<ReturnType<typeof aWorld>>, status: "active" | "disabled") =>
  w.db.update(merchants).set({ status });

test("nothing new is signed for a disabled merchant, and it is paid after the merchant is enabled", async (t) => {
  const w = await aWorld(t, { expires: true });
  const again = await w.ask();
  const payer = w.payer();
  await payer.step();
  const pending = await w.ask();
  await setMerchant(w, "disabled");
  w.outcomes.set("hash-1", "dead");
  w.clock.now += 60_000;
  for (let steps = 0; steps < 2; steps++) await payer.step();
  assert.deepEqual(
    [...payer.held],
    [
      [again.refid, "merchant_disabled"],
      [pending.refid, "merchant_disabled"],
    ],
  );
  assert.equal(w.entries().length, 1, "neither instead of the expired one, nor for the pending one");
  await setMerchant(w, "active");
  for (let steps = 0; steps < 2; steps++) await payer.step();
  assert.deepEqual([...payer.held], []);
  assert.deepEqual(
    (await w.rows([again.id, pending.id])).map(([, hashes]) => hashes),
    [["hash-1", "hash-2"], ["hash-3"]],
  );
});

test("a merchant that is disabled while its payment is prepared is not paid", async (t) => {
  const w = await aWorld(t);
  const { id, refid } = await w.ask();
  const { prepare } = w.chain;
  w.chain.prepare = async (...given) => {
    await setMerchant(w, "disabled");
    return prepare(...given);
  };
  const payer = w.payer();
  await payer.step();
  assert.deepEqual([w.entries(), w.sent, [...payer.held]], [[], [], [[refid, "changed"]]]);
  await payer.step();
  assert.deepEqual([...payer.held], [[refid, "merchant_disabled"]]);
  assert.deepEqual(await w.rows([id]), [["pending", []]]);
});

test("what was signed for a merchant before it was disabled is stored, sent and followed", async (t) => {
  const w = await aWorld(t);
  const { id } = await w.ask();
  await w.dieAfterJournal();
  await setMerchant(w, "disabled");
  const payer = w.payer();
  await payer.step();
  assert.deepEqual([w.sent, [...payer.held]], [["hash-1"], []]);
  assert.deepEqual(await w.rows([id]), [["processing", ["hash-1"]]]);
});

test("a withdrawal that was moved to another network after its transaction expired is not paid here", async (t) => {
  const w = await aWorld(t, { expires: true });
  const { id, refid } = await w.ask();
  const payer = w.payer();
  await payer.step();
  w.outcomes.set("hash-1", "dead");
  w.clock.now += 60_000;
  await w.db.update(withdrawals).set({ network: "erc20" }).where(eq(withdrawals.id, id));
  await payer.step();
  assert.deepEqual([...payer.held], [[refid, "not_in_policy"]]);
  assert.equal(w.entries().length, 1);
});

test("what a person has settled otherwise is not sent again: it is canceled, or expires, and the others are paid", async (t) => {
  const w = await aWorld(t, { mostPayouts: 2 });
  const made = [await w.ask(), await w.ask()];
  const payer = w.payer();
  await payer.step();
  await w.db
    .update(withdrawals)
    .set({ status: "completed", txHash: "by-hand" })
    .where(eq(withdrawals.id, made[0]!.id));
  await payer.step();
  assert.deepEqual(w.sent, ["hash-1", "hash-2"]);
  w.outcomes.set("hash-1", "dead").set("hash-2", "final");
  w.clock.now += 60_000;
  await payer.step();
  assert.deepEqual(w.entries(), [
    ["payout", "hash-1", 2],
    ["cancel", "hash-2", 2],
    ["payout", "hash-3", 1],
  ]);
  const expiring = await aWorld(t, { expires: true });
  const { id } = await expiring.ask();
  await expiring.payer().step();
  await expiring.db
    .update(withdrawals)
    .set({ status: "completed", txHash: "by-hand" })
    .where(eq(withdrawals.id, id));
  await expiring.payer().step();
  assert.deepEqual(expiring.sent, ["hash-1"]);
});

test("a withdrawal that somebody reads under a lock after a kill is not taken for one that was ended", async (t) => {
  const w = await aWorld(t);
  const { id } = await w.ask();
  await w.payer().step();
  w.outcomes.set("hash-1", "dead");
  w.clock.now += 60_000;
  await w.dieAfterJournal();
  await w.db.transaction(async (tx) => {
    await tx.select().from(withdrawals).where(eq(withdrawals.id, id)).for("update");
    await w.payer().step();
  });
  assert.deepEqual(w.sent, ["hash-1"]);
  await w.payer().step();
  assert.deepEqual(w.sent, ["hash-1", "hash-2"]);
  assert.deepEqual(await w.rows([id]), [["processing", ["hash-1", "hash-2"]]]);
});

test("an expired transaction whose withdrawal was ended is not followed by another", async (t) => {
  const w = await aWorld(t, { expires: true });
  const { refid } = await w.ask();
  await w.dieAfterJournal();
  assert.ok((await w.fail(refid)).ok);
  const payer = w.payer();
  await payer.step();
  assert.deepEqual(w.sent, [], "it was never stored, so it is never broadcast");
  w.outcomes.set("hash-1", "dead");
  w.clock.now += 60_000;
  for (let again = 0; again < 2; again++) await payer.step();
  assert.equal(w.entries().length, 1);
});

test("of a transaction for several, of which one was canceled before it was stored, the others are paid by another", async (t) => {
  const w = await aWorld(t, { mostPayouts: 3 });
  const made = [await w.ask(), await w.ask(), await w.ask()];
  const ids = made.map(({ id }) => id);
  await w.dieAfterJournal();
  assert.ok((await w.fail(made[1]!.refid)).ok);
  const payer = w.payer();
  await payer.step();
  assert.deepEqual(w.sent, ["hash-2"], "the canceling one");
  assert.deepEqual([...payer.held], [], "that is no alarm");
  await payer.step();
  assert.deepEqual(
    (await w.rows(ids)).map(([status]) => status),
    ["pending", "refund_queued", "pending"],
  );
  w.outcomes.set("hash-1", "dead").set("hash-2", "final");
  await payer.step();
  assert.deepEqual(w.entries().slice(1), [
    ["cancel", "hash-2", 3],
    ["payout", "hash-3", 2],
  ]);
  assert.deepEqual(await w.rows(ids), [
    ["processing", ["hash-3"]],
    ["refund_queued", []],
    ["processing", ["hash-3"]],
  ]);
});

test("moves between own accounts are journaled and stored before they are sent, about every 30 seconds", async (t) => {
  const w = await aWorld(t);
  const aMove = (): MoveDraft => ({
    kind: "sweep",
    moves: [{ token: "usdt", amount: 5n, from: place(1), to: place(0) }],
    spends: ["input-x"],
    expires: null,
    cost: { fee: 1n, most: 1n },
    sign: async () => ({ hash: "swept", raw: "raw" }),
  });
  w.moves.push(aMove());
  const payer = w.payer();
  await payer.step();
  assert.deepEqual(w.entries(), [["sweep", "swept", 0]]);
  assert.equal((await w.db.select().from(outgoingTransactions)).length, 1);
  assert.deepEqual(w.sent, ["swept"]);
  await payer.step();
  assert.deepEqual(w.sent, ["swept", "swept"], "it is in no block");
  w.outcomes.set("swept", "final");
  w.moves.push({ ...aMove(), sign: async () => ({ hash: "swept-2", raw: "raw" }) });
  await payer.step();
  assert.equal(w.entries().length, 1);
  w.clock.now += 30_000;
  await payer.step();
  assert.equal(w.entries().length, 2);
});

test("a sweep whose fee may not be spent keeps no other move from its turn", async (t) => {
  const w = await aWorld(t);
  const reasons: string[] = [];
  const draft = (kind: "sweep" | "cold", fee: bigint): MoveDraft => ({
    kind,
    moves: [{ token: "usdt", amount: 5n, from: place(1), to: place(0) }],
    spends: [`input-${kind}`],
    expires: null,
    cost: { fee, most: 1n },
    sign: async () => ({ hash: kind, raw: "raw" }),
  });
  const refused = (reason: string) => void reasons.push(reason);
  w.moves.push({ ...draft("sweep", 2n), refused }, draft("cold", 1n));
  await w.payer().step();
  assert.deepEqual([w.entries(), reasons], [[["cold", "cold", 0]], ["network_fee_too_high"]]);
});

test("no node is asked while nothing can be paid, and about one that waits for the chain every 30 seconds", async (t) => {
  const w = await aWorld(t);
  const above = await aWithdrawal(w.deps, EMAIL, { amount: 900n * USDT, to: place(1) });
  await w.db
    .update(withdrawals)
    .set({ amount: 2_000n * USDT })
    .where(eq(withdrawals.id, above.id));
  const payer = w.payer();
  for (let steps = 0; steps < 5; steps++) await payer.step();
  assert.deepEqual([...payer.held], [[above.refid, "above_per_transfer"]]);
  assert.equal(w.asked.times, 0);
  w.refused.set((await w.ask()).refid, "hot_balance_too_low");
  for (let steps = 0; steps < 5; steps++) await payer.step();
  assert.equal(w.asked.times, 1);
  w.clock.now += 30_000;
  await payer.step();
  assert.equal(w.asked.times, 2);
});

test("limits of a day hold when clocks jump", async (t) => {
  const w = await aWorld(t);
  const { refid } = await w.ask();
  w.clock.now = Date.now() - 400 * 86_400_000;
  await assert.rejects(w.payer().step(), /clock is wrong/);
  for (const minutes of [-9, 400 * 1_440]) {
    w.clock.now = Date.now() + minutes * 60_000;
    await w.payer().step();
  }
  const [entry] = openJournal(w.path).entries;
  assert.equal(entry?.payouts[0]?.refid, refid);
  assert.ok(
    Math.abs((entry?.at.getTime() ?? 0) - Date.now()) < 60_000,
    "the later of the clock and the newest block",
  );
});

test("a node that says a time of next century uses up no limit, and leaves a journal that can be read", async (t) => {
  const w = await aWorld(t);
  const { refid } = await w.ask();
  const payer = w.payer();
  for (const time of ["2100-01-01T00:00:00Z", "+012345-01-01T00:00:00Z", "not a time"]) {
    w.said.headTime = () => new Date(time);
    await assert.rejects(payer.step(), isNodeError());
    assert.deepEqual(w.entries(), []);
  }
  delete w.said.headTime;
  await payer.step();
  assert.deepEqual([w.entries().length, payer.held.get(refid)], [1, undefined]);
  assert.ok(openJournal(w.path).entries[0]!.at.getTime() <= Date.now());
});

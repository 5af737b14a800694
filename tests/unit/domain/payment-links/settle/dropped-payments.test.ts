/** A payment that waits is no free option on the price: what was dropped, or replaced late, is valued like new money. */
import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { eq } from "drizzle-orm";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { settlePayments } from "#lib/domain/payment-links/settle/settle-links.ts";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { minutes, START } from "../facts.ts";
import { aWorld, usdt, type World } from "../world.ts";

const worlds: World[] = [];
after(() => Promise.all(worlds.map((world) => world.close())));
let world: World;
beforeEach(() => openWorld());

async function openWorld(terms: Parameters<typeof aWorld>[0] = {}): Promise<void> {
  world = await aWorld(terms);
  worlds.push(world);
}

const DAY = 24 * 60;
const worthOf = async (refid: string, at: Date) => (await world.view(refid, at)).payments[0]?.worth;

/** The watcher drops a deposit, as removeFromBlocks does. */
async function drop(id: number, from: "block" | "mempool", at: Date): Promise<void> {
  await world.db.update(deposits).set({ droppedFrom: from }).where(eq(deposits.id, id));
  await world.change([id], "dropped", at);
}

/** A link of 100 USD that was paid with 100 USDT at a price of one dollar, in time. */
async function aPaidLink() {
  const { refid } = await world.createPicked({ expiresAt: minutes(START, 30 * DAY) });
  const id = await world.pay(refid, { amount: usdt("100"), at: minutes(START, 5) });
  assert.equal(await worthOf(refid, minutes(START, 5)), "1");
  return { refid, id };
}

test("a payment that the network forgot and that is sent again 20 days later has the price of that time", async () => {
  const { refid, id } = await aPaidLink();
  await drop(id, "mempool", minutes(START, 14 * DAY));
  assert.equal(await worthOf(refid, minutes(START, 14 * DAY)), null);
  world.setRates("usdt/usd=0.5");
  const back = minutes(START, 20 * DAY);
  await world.change([id], "credited", back);
  const link = await world.view(refid, back);
  assert.deepEqual([link.state, link.payments[0]?.worth, link.payments[0]?.late], ["partial", "0.5", false]);
});

test("a payment that the network forgot only for minutes has the price that the page showed", async () => {
  const { refid, id } = await aPaidLink();
  world.setRates("usdt/usd=0.5");
  await drop(id, "mempool", minutes(START, 8));
  await world.change([id], "credited", minutes(START, 12));
  assert.equal(await worthOf(refid, minutes(START, 12)), "1");
});

test("a payment that only a reorg dropped keeps its price", async () => {
  const { refid, id } = await aPaidLink();
  await world.change([id], "credited", minutes(START, 6));
  await drop(id, "block", minutes(START, 7));
  world.setRates("usdt/usd=0.5");
  const back = minutes(START, 20 * DAY);
  await world.change([id], "credited", back);
  assert.deepEqual([await worthOf(refid, back), (await world.view(refid, back)).state], ["1", "completed"]);
});

test("late money that a merchant accepts has the price of the day on which it is sent again", async () => {
  await openWorld({ latePolicy: "accept" });
  const { refid } = await world.createPicked();
  const id = await world.pay(refid, { amount: usdt("100"), at: minutes(START, 5) });
  await drop(id, "mempool", minutes(START, 10));
  const ended = minutes(START, 2 * DAY);
  await world.pass(ended);
  await sweepPaymentLinks(world.deps, ended);
  assert.equal((await world.view(refid, ended)).state, "expired");
  world.setRates("usdt/usd=0.5");
  const back = minutes(START, 20 * DAY);
  await world.change([id], "credited", back);
  const link = await world.view(refid, back);
  assert.deepEqual([link.state, link.payments[0]?.worth, link.payments[0]?.late], ["expired", "0.5", true]);
});

/** A payment that replaces one of `seen`, and that the watcher has observed at `observed`. */
async function replaceAt(refid: string, seen: Date, observed: Date): Promise<void> {
  await world.db.transaction(async (tx) => {
    const id = await world.record(tx, refid, { amount: usdt("100"), at: seen });
    await tx.update(deposits).set({ createdAt: observed }).where(eq(deposits.id, id));
    await settlePayments(tx, world.deps, [id], observed);
  });
}

test("a replacement has the price of the payment that it replaces, until a quarter of an hour after that price", async () => {
  const [soon, late] = [await world.createPicked(), await world.createPicked()];
  world.setRates("usdt/usd=0.5");
  const seen = minutes(START, 5);
  await replaceAt(soon.refid, seen, minutes(START, 35));
  await replaceAt(late.refid, seen, minutes(START, 36));
  assert.equal(await worthOf(soon.refid, minutes(START, 36)), "1");
  assert.equal(await worthOf(late.refid, minutes(START, 36)), "0.5");
});

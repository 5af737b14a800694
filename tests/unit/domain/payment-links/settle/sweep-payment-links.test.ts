import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { eq } from "drizzle-orm";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { minutes, START } from "../facts.ts";
import { aWorld, ENDED, usdt, type World } from "../world.ts";

describe("the sweep of payment links", () => {
  let world: World;
  beforeEach(async () => {
    world = await aWorld();
  });
  afterEach(() => world.close());
  const sweep = (at: Date) => sweepPaymentLinks(world.deps, at);
  const stateOf = async (refid: string) => {
    const { state, reason } = await world.view(refid, ENDED);
    return reason ? `${state} ${reason}` : state;
  };

  test("does not change a link before the end of its deadline's second, then expires one that nobody opened", async () => {
    const { refid, version } = await world.create();
    const end = minutes(START, 120).getTime() + 1_000;
    assert.equal(await sweep(new Date(end - 1)), 0);
    assert.equal(await sweep(new Date(end)), 1);
    assert.equal(await stateOf(refid), "expired expired");
    assert.equal((await world.view(refid, ENDED)).version, version + 1);
    assert.deepEqual(await world.eventTypes(), ["failed"]);
    assert.equal(await sweep(minutes(START, 600)), 0, "it is never looked at again");
  });

  test("waits for a complete pass that started after the deadline", async () => {
    const { refid } = await world.createPicked();
    await sweep(minutes(START, 121));
    await world.pass(minutes(START, 120));
    await sweep(minutes(START, 122));
    assert.equal(await stateOf(refid), "awaiting");
    await world.pass(minutes(START, 180));
    await sweep(minutes(START, 181));
    assert.equal(await stateOf(refid), "expired expired");
  });

  test("fails a link without confirmations after the grace period", async () => {
    const { refid } = await world.createPicked();
    const id = await world.pay(refid, { amount: usdt("100") });
    const graceEnd = minutes(START, 120 + 24 * 60);
    assert.equal(await sweep(minutes(graceEnd, -1)), 0);
    await world.pass(minutes(graceEnd, 1));
    assert.equal(await sweep(minutes(graceEnd, 2)), 1);
    assert.equal(await stateOf(refid), "failed unconfirmed");
    await world.change([id], "credited", minutes(graceEnd, 3));
    assert.deepEqual(await world.eventTypes(), ["failed", "late"]);
  });

  test("settles every link once when two sweeps run at the same time", async () => {
    await Promise.all(Array.from({ length: 12 }, () => world.create()));
    const counts = await Promise.all([sweep(ENDED), sweep(ENDED), sweep(ENDED)]);
    assert.equal(
      counts.reduce((a, b) => a + b),
      12,
    );
    assert.equal((await world.events()).length, 12);
  });

  test("skips a link that another transaction has locked", async () => {
    const held = await world.create();
    const free = await world.create();
    await world.db.transaction(async (tx) => {
      await tx.select().from(paymentLinks).where(eq(paymentLinks.refid, held.refid)).for("update");
      assert.equal(await sweep(ENDED), 1);
      assert.equal(await stateOf(free.refid), "expired expired");
    });
    assert.equal(await stateOf(held.refid), "open");
    assert.equal(await sweep(ENDED), 1);
  });
});

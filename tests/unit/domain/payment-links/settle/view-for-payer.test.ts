import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "drizzle-orm";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { minutes, START } from "../facts.ts";
import { BEP20, ENDED, usdt, worldOfFile } from "../world.ts";

const world = await worldOfFile();

describe("viewing a payment link to pay it", () => {
  test("renews an expired quote for the missing amount, once for simultaneous views", async () => {
    const { refid } = await world.createPicked();
    await world.pay(refid, { amount: usdt("60"), at: minutes(START, 5) });
    world.setRates("usdt/usd=2");
    const at = minutes(START, 20);
    const views = await Promise.all(Array.from({ length: 8 }, () => world.view(refid, at)));
    for (const view of views) assert.deepEqual(view, views[0]);
    const [link] = views;
    assert.deepEqual([link?.quotes.length, link?.version], [2, 4]);
    assert.deepEqual(
      link?.quotes.map(({ live, amount }) => [live, amount]),
      [
        [true, usdt("50")],
        [false, usdt("100")],
      ],
    );
    assert.deepEqual(link?.remaining, [{ ...BEP20, amount: usdt("20") }]);
    world.setRates("usdt/usd=1,usd/ngn=1600");
  });

  test("many views at the same time take one connection to renew a quote", async () => {
    const { refid } = await world.createPicked();
    const at = minutes(START, 20);
    const locks = sql`select from ${paymentLinks} where refid = ${refid} for update`;
    const { views } = await world.whileHolding(locks, async () => {
      const views = Array.from({ length: 40 }, () => world.view(refid, at));
      await world.untilWaiting(1);
      return { views };
    });
    for (const { quotes } of await Promise.all(views)) assert.equal(quotes.length, 2);
  });

  test("does not renew a live quote, a fully paid link, an ended link, or without a rate", async () => {
    const quotesAt = async (refid: string, at: Date) => (await world.view(refid, at)).quotes.length;
    const { refid } = await world.createPicked();
    assert.equal(await quotesAt(refid, minutes(START, 19)), 1);
    world.setRates(null);
    const without = await world.view(refid, minutes(START, 30));
    assert.deepEqual([without.quotes.length, without.quotes[0]?.live, without.remaining], [1, false, []]);
    world.setRates("usdt/usd=1,usd/ngn=1600");
    assert.equal(await quotesAt(refid, ENDED), 1);
    await world.pay(refid, { amount: usdt("100"), at: minutes(START, 10) });
    assert.equal(await quotesAt(refid, minutes(START, 30)), 1);
  });

  test("accepts a quote that another process created an instant later", async () => {
    const { refid } = await world.createPicked();
    const at = minutes(START, 30);
    const first = await world.view(refid, new Date(at.getTime() + 50));
    assert.deepEqual(await world.view(refid, at), first);
    assert.deepEqual([first.quotes.length, first.quotes[0]?.live], [2, true]);
  });

  test("ends a renewed quote at the link's deadline", async () => {
    const { refid } = await world.createPicked();
    const link = await world.view(refid, minutes(START, 110));
    assert.deepEqual(link.quotes[0]?.validUntil, link.expiresAt);
  });
});

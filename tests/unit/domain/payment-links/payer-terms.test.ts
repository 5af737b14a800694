import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import fc from "fast-check";
import { payTermsOf } from "#lib/domain/payment-links/rules.ts";
import {
  amountToAsk,
  computeQuoteAmount,
  evaluateTotal,
  payDecimals,
  sumShares,
  type ValuedPayment,
} from "#lib/domain/payment-links/valuation-rules.ts";
import { ZERO } from "#lib/platform/money/fraction.ts";
import { minutes, START } from "./facts.ts";
import { aWorld, usdt, type World } from "./world.ts";

const worlds: World[] = [];
after(() => Promise.all(worlds.map((world) => world.close())));

/** A merchant who has chosen nothing. */
const STANDARD = {
  toleranceUnderBps: 50,
  toleranceUnderMax: 1,
  toleranceOverBps: 0,
  roundStablecoins: true,
} as const;
async function aStandardWorld(terms: Parameters<typeof aWorld>[0] = {}): Promise<World> {
  const world = await aWorld({ ...STANDARD, ...terms });
  worlds.push(world);
  return world;
}

const ROUNDED = { currency: "ngn", roundStablecoins: true };

describe("an amount that a payer is asked for", () => {
  test("is rounded up to a cent in a stablecoin, unless the link is priced in it or the merchant wants it exact", () => {
    const asked = (terms: typeof ROUNDED) =>
      computeQuoteAmount({ amount: 1_600_100n, currency: "ngn" }, "1600", "usdt", payDecimals("usdt", terms));
    assert.equal(asked(ROUNDED), usdt("10.01"));
    assert.equal(asked({ ...ROUNDED, roundStablecoins: false }), usdt("10.000625"));
    assert.equal(asked({ ...ROUNDED, currency: "usdt" }), usdt("10.000625"));
    assert.deepEqual([payDecimals("usdc", ROUNDED), payDecimals("btc", ROUNDED)], [2, 8]);
  });

  test("completes the link and never overpays it, whatever was paid before", () => {
    const terms = { ...ROUNDED, underBps: 0, underMost: null, overBps: 0 };
    const paid = fc.array(fc.bigInt(1n, usdt("4")), { maxLength: 5 });
    fc.assert(
      fc.property(fc.bigInt(1_000n, 10n ** 7n), paid, (cents, amounts) => {
        const whole = computeQuoteAmount({ amount: cents, currency: "ngn" }, "1583.37", "usdt", 2);
        const parts: ValuedPayment[] = amounts.map((amount) => ({
          amount,
          fullAmount: whole,
          token: "usdt",
        }));
        fc.pre(!evaluateTotal(parts, terms).paid);
        const amount = amountToAsk(whole, sumShares(parts), "usdt", 2);
        assert.equal(amount % 10n ** 16n, 0n, "whole cents");
        const all = [...parts, { amount, fullAmount: whole, token: "usdt" as const }];
        assert.deepEqual(evaluateTotal(all, terms), { paid: true, overpaid: false });
      }),
    );
    assert.equal(amountToAsk(usdt("10"), ZERO, "usdt", 2), usdt("10"));
  });
});

test("what may be missing is half a percent, and at most one unit of the currency", () => {
  const isPaid = (amount: bigint, currency: "usd" | "jpy", merchant: typeof STANDARD, missing: bigint) => {
    const terms = payTermsOf({ link: { amount, currency }, merchant });
    return evaluateTotal([{ amount: amount - missing, fullAmount: amount, token: "usdt" }], terms).paid;
  };
  assert.equal(isPaid(10_000n, "usd", STANDARD, 50n), true);
  assert.equal(isPaid(10_000n, "usd", STANDARD, 51n), false);
  assert.equal(isPaid(1_000_000n, "usd", STANDARD, 100n), true);
  assert.equal(isPaid(1_000_000n, "usd", STANDARD, 101n), false);
  assert.equal(isPaid(10_000n, "jpy", STANDARD, 1n), true);
  assert.equal(isPaid(10_000n, "jpy", STANDARD, 2n), false);
  const chosen = { ...STANDARD, toleranceUnderMax: null } as unknown as typeof STANDARD;
  assert.equal(isPaid(1_000_000n, "usd", chosen, 5_000n), true);
  assert.equal(isPaid(1_000_000n, "usd", chosen, 5_001n), false);
});

test("the amount that the page showed pays the link, after the rate has ticked and the page has renewed it", async () => {
  const world = await aStandardWorld({ toleranceUnderBps: 0 });
  const link = await world.createPicked({ amount: 1_600_000n, currency: "ngn" });
  assert.equal(link.remaining[0]?.amount, usdt("10"));
  world.setRates("usdt/ngn=1599.9");
  const at = new Date(minutes(START, 20).getTime() + 7_000);
  assert.equal((await world.view(link.refid, minutes(START, 20))).remaining[0]?.amount, usdt("10.01"));
  await world.pay(link.refid, { amount: usdt("10"), status: "credited", at });
  const paid = await world.view(link.refid, at);
  assert.deepEqual([paid.state, paid.payments[0]?.worth], ["completed", "1"]);
});

test("a link of a merchant who has chosen nothing asks for cents, and forgives half a percent", async () => {
  const world = await aStandardWorld();
  world.setRates("usdt/usd=0.9997,usd/ngn=1600");
  const { refid, remaining } = await world.createPicked();
  assert.equal(remaining[0]?.amount, usdt("100.04"));
  const paid = usdt("99.53");
  await world.pay(refid, { amount: paid, status: "credited" });
  assert.deepEqual((await world.view(refid, START)).remaining, [
    { network: "bep20", token: "usdt", amount: usdt("0.51") },
  ]);
  await world.pay(refid, { amount: usdt("0.01"), status: "credited" });
  assert.equal((await world.view(refid, START)).state, "completed");
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  amountToAsk,
  chooseQuote,
  computeQuoteAmount,
  computeUsdCents,
  evaluateTotal,
  excessAmount,
  markUp,
  missingAmount,
  newQuote,
  ShareSum,
  sumShares,
  type ValuedPayment,
} from "#lib/domain/payment-links/valuation-rules.ts";
import { CURRENCIES, type CurrencyCode } from "#lib/platform/money/currencies.ts";
import {
  addFractions,
  compareFractions,
  type Fraction,
  fraction,
  ONE,
  ZERO,
} from "#lib/platform/money/fraction.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { measureTurns } from "#tests/support/longest-turn.ts";
import { EXACT, minutes, START } from "./facts.ts";

/** The functions with amounts in the token's own unit. */
const exact = (code: TokenCode) => TOKENS[code].quoteDecimals;
const quoteAmount = (units: bigint, code: CurrencyCode, text: string, tokenCode: TokenCode) =>
  computeQuoteAmount({ amount: units, currency: code }, text, tokenCode, exact(tokenCode));
const missing = (whole: bigint, paid: Fraction, code: TokenCode) =>
  missingAmount(whole, paid, code, exact(code));
const toAsk = (whole: bigint, paid: Fraction, code: TokenCode) => amountToAsk(whole, paid, code, exact(code));
const excess = (whole: bigint, paid: Fraction, code: TokenCode) =>
  excessAmount(whole, paid, code, exact(code));
const USDT_UNIT = 10n ** 12n;
const usdt = (whole: string) => BigInt(whole) * 10n ** 18n;

const token = fc.constantFrom("btc" as const, "usdt" as const);
const currency = fc.constantFrom(...(Object.keys(CURRENCIES) as CurrencyCode[]));
const price = fc
  .tuple(fc.bigInt(1n, 10n ** 9n), fc.bigInt(0n, 10n ** 12n - 1n))
  .map(([whole, rest]) => `${whole}.${rest.toString().padStart(12, "0")}`);
const amount = fc.bigInt(1n, 10n ** 14n);
/** A full amount in the token's own unit, as a quote states it. */
const quote = token.chain((code) => {
  const { quoteDecimals, ledgerDecimals, dust } = TOKENS[code];
  const unit = 10n ** BigInt(ledgerDecimals - quoteDecimals);
  return fc.bigInt(1_000n, 10n ** 10n).map((units) => ({ token: code, whole: units * unit, unit, dust }));
});

describe("the amount that pays the full link", () => {
  test("is the amount divided by the price", () => {
    assert.equal(quoteAmount(1_600_000n, "ngn", "1600", "usdt"), usdt("10"));
    assert.equal(quoteAmount(6_000_000n, "usd", "60000", "btc"), 100_000_000n);
    assert.equal(quoteAmount(100_000_000n, "btc", "1", "btc"), 100_000_000n);
    assert.equal(quoteAmount(2_500_000n, "usdt", "1", "usdt"), 2_500_000_000_000_000_000n);
    assert.equal(quoteAmount(655n, "xof", "655", "usdt"), usdt("1"));
  });
  test("is rounded up to six decimals of USDT and to the satoshi", () => {
    assert.equal(quoteAmount(100n, "usd", "3", "usdt"), 333_334n * USDT_UNIT);
    assert.equal(quoteAmount(1n, "ngn", "99999999", "btc"), 1n);
  });
  test("is at least the amount divided by the price, and less than one unit above it", () => {
    fc.assert(
      fc.property(amount, currency, price, token, (units, code, text, tokenCode) => {
        const { ledgerDecimals, quoteDecimals } = TOKENS[tokenCode];
        const whole = quoteAmount(units, code, text, tokenCode);
        const unit = 10n ** BigInt(ledgerDecimals - quoteDecimals);
        assert.equal(whole % unit, 0n);
        const [left = "", right = ""] = text.split(".");
        const parsePriceUnits = BigInt(left + right);
        const exact = fraction(
          units * 10n ** 12n * 10n ** BigInt(ledgerDecimals),
          parsePriceUnits * 10n ** BigInt(CURRENCIES[code]),
        );
        assert.ok(compareFractions({ num: whole, den: 1n }, exact) >= 0);
        assert.ok(compareFractions({ num: whole - unit, den: 1n }, exact) < 0);
      }),
    );
  });
  test("grows with the amount and falls with the price", () => {
    fc.assert(
      fc.property(amount, amount, price, token, (a, b, text, code) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        assert.ok(quoteAmount(less, "usd", text, code) <= quoteAmount(more, "usd", text, code));
        assert.ok(quoteAmount(a, "usd", `1${text}`, code) <= quoteAmount(a, "usd", text, code));
      }),
    );
  });
  test("rejects a price that is not a positive decimal", () => {
    assert.throws(() => quoteAmount(1n, "usd", "0", "usdt"), RangeError);
    assert.throws(() => quoteAmount(1n, "usd", "-1", "usdt"), RangeError);
    assert.throws(() => quoteAmount(1n, "usd", "one", "usdt"), RangeError);
  });
});

describe("a mark-up", () => {
  const rate = { price: "1600", source: "a, b", at: START };
  test("asks for that much more of the token, and names the mark-up in the source", () => {
    const marked = markUp(rate, 2_500);
    assert.equal(marked?.source, "a, b +25%");
    assert.equal(quoteAmount(16_000_000n, "ngn", marked?.price ?? "", "usdt"), usdt("125"));
  });
  test("of zero does not change the rate", () => {
    assert.equal(markUp(rate, 0), rate);
  });
  test("never asks for less than it says", () => {
    fc.assert(
      fc.property(amount, price, fc.integer({ min: 1, max: 10_000 }), (units, text, bps) => {
        const plain = quoteAmount(units, "usd", text, "usdt");
        const marked = quoteAmount(units, "usd", markUp({ ...rate, price: text }, bps)?.price ?? "", "usdt");
        const rounding = USDT_UNIT * 3n;
        assert.ok((marked + rounding) * 10_000n >= plain * BigInt(10_000 + bps));
      }),
    );
  });
});

test("the value in USD is rounded up to the cent", () => {
  assert.equal(computeUsdCents(160_000n, "ngn", "1600", "1"), 100n);
  assert.equal(computeUsdCents(160_001n, "ngn", "1600", "1"), 101n);
  assert.equal(computeUsdCents(1n, "btc", "1", "60000"), 1n);
});

describe("the missing amount", () => {
  test("is rounded up to the quote's unit", () => {
    assert.equal(missing(usdt("100"), ZERO, "usdt"), usdt("100"));
    assert.equal(missing(usdt("100"), fraction(3n, 5n), "usdt"), usdt("40"));
    assert.equal(missing(usdt("1"), fraction(2n, 3n), "usdt"), 333_334n * USDT_UNIT);
    assert.equal(missing(usdt("1"), ONE, "usdt"), 0n);
    assert.equal(missing(usdt("1"), fraction(3n, 2n), "usdt"), 0n);
  });
  test("decreases as more is paid", () => {
    fc.assert(
      fc.property(quote, fc.bigInt(0n, 1_000n), fc.bigInt(0n, 1_000n), ({ whole, token: code }, a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        const of = (n: bigint) => missing(whole, fraction(n, 1_000n), code);
        assert.ok(of(less) >= of(more));
      }),
    );
  });
  test("is asked for as dust at least, because the network carries nothing smaller", () => {
    assert.equal(toAsk(100_000n, fraction(99_999n, 100_000n), "btc"), 546n);
    assert.equal(toAsk(100_000n, ONE, "btc"), 0n);
  });
  test("completes the link exactly when paid, whatever was paid before in whatever tokens", () => {
    const paid = fc.array(fc.tuple(quote, fc.bigInt(1n, 999n)), { maxLength: 8 });
    fc.assert(
      fc.property(paid, quote, (payments, last) => {
        const parts: ValuedPayment[] = [];
        for (const [{ token: code, whole }, perMille] of payments) {
          const left = missing(whole, sumShares(parts), code);
          const part = { token: code, fullAmount: whole, amount: (left * perMille) / 1_000n };
          if (part.amount > 0n) parts.push(part);
        }
        const asked = missing(last.whole, sumShares(parts), last.token);
        fc.pre(asked >= last.dust && !evaluateTotal(parts, EXACT).paid);
        const all = [...parts, { token: last.token, fullAmount: last.whole, amount: asked }];
        assert.deepEqual(evaluateTotal(all, EXACT), { paid: true, overpaid: false });
        const shuffled = [...all].reverse();
        assert.deepEqual(evaluateTotal(shuffled, EXACT), { paid: true, overpaid: false });
      }),
    );
  });
  test("one unit less does not complete, one unit of every token more overpays", () => {
    fc.assert(
      fc.property(quote, ({ token: code, whole, unit, dust }) => {
        const short = { token: code, fullAmount: whole, amount: whole - unit - dust };
        assert.equal(evaluateTotal([short], EXACT).paid, false);
        const over = { token: code, fullAmount: whole, amount: whole + unit };
        assert.deepEqual(evaluateTotal([over], EXACT), { paid: true, overpaid: true });
      }),
    );
  });
});

const part = (amountUnits: bigint, whole: bigint, code: "btc" | "usdt" = "usdt"): ValuedPayment => ({
  amount: amountUnits,
  fullAmount: whole,
  token: code,
});

describe("paid and overpaid", () => {
  test("no payment pays nothing, whatever the tolerance", () => {
    assert.equal(evaluateTotal([], { ...EXACT, underBps: 10_000 }).paid, false);
  });
  test("a missing amount below dust counts as paid, dust itself does not", () => {
    assert.equal(evaluateTotal([part(200_000n - 545n, 200_000n, "btc")], EXACT).paid, true);
    assert.equal(evaluateTotal([part(200_000n - 546n, 200_000n, "btc")], EXACT).paid, false);
  });
  test("a missing amount below dust is asked for if it is more than 0.5 % of the link", () => {
    // 0.61 USD at 60,000 USD for one BTC.
    const half = [part(472n, 1_017n, "btc")];
    assert.equal(evaluateTotal(half, EXACT).paid, false);
    const asked = toAsk(1_017n, sumShares(half), "btc");
    assert.equal(asked, 546n);
    assert.equal(evaluateTotal([...half, part(asked, 1_017n, "btc")], EXACT).paid, true);
    assert.equal(evaluateTotal([part(99_500n, 100_000n, "btc")], EXACT).paid, true);
    assert.equal(evaluateTotal([part(99_499n, 100_000n, "btc")], EXACT).paid, false);
    assert.equal(evaluateTotal([part(99_499n, 100_000n, "btc")], { ...EXACT, underBps: 51 }).paid, true);
  });
  test("never more than the tolerance or 0.5 % of a link is forgiven", () => {
    const parts = fc.array(fc.tuple(token, fc.bigInt(1n, 3_000n), fc.bigInt(546n, 3_000n)), { minLength: 1 });
    fc.assert(
      fc.property(parts, fc.integer({ min: 0, max: 500 }), (list, underBps) => {
        const payments = list.map(([code, units, whole]) => part(units, whole, code));
        const forgiven = fraction(10_000n - BigInt(Math.max(underBps, 50)), 10_000n);
        const { paid } = evaluateTotal(payments, { ...EXACT, underBps });
        assert.ok(!paid || compareFractions(sumShares(payments), forgiven) >= 0);
      }),
    );
  });
  test("an excess below one unit of the quote does not count", () => {
    const whole = usdt("1");
    assert.equal(evaluateTotal([part(whole + USDT_UNIT - 1n, whole)], EXACT).overpaid, false);
    assert.equal(evaluateTotal([part(whole + USDT_UNIT, whole)], EXACT).overpaid, true);
    assert.equal(excess(whole, sumShares([part(whole + USDT_UNIT - 1n, whole)]), "usdt"), 0n);
    assert.equal(excess(whole, sumShares([part(whole + usdt("2"), whole)]), "usdt"), usdt("2"));
  });
  test("a link is never paid with less than the full amount less the tolerance, except for dust", () => {
    const parts = fc.array(fc.tuple(fc.bigInt(1n, 10n ** 20n), fc.bigInt(1n, 10n ** 20n)), { minLength: 1 });
    fc.assert(
      fc.property(parts, fc.integer({ min: 0, max: 500 }), (pairs, underBps) => {
        const list = pairs.map(([a, whole]) => part(a, whole));
        const enough = fraction(BigInt(10_000 - underBps), 10_000n);
        assert.equal(
          evaluateTotal(list, { ...EXACT, underBps }).paid,
          compareFractions(sumShares(list), enough) >= 0,
        );
      }),
    );
  });
});

describe("the sum of the shares", () => {
  const shares = fc.array(
    fc.record({
      token: fc.constant("usdt" as const),
      amount: fc.bigInt(1n, 10n ** 22n),
      fullAmount: fc.oneof(fc.bigInt(1n, 10n ** 24n), fc.constantFrom(3n, 7n, 10n ** 18n)),
    }),
    { minLength: 1, maxLength: 12 },
  );
  const exactSum = (payments: readonly ValuedPayment[]) =>
    payments.reduce((sum, { amount, fullAmount }) => addFractions(sum, fraction(amount, fullAmount)), ZERO);

  test("is never below the exact sum, and at most 10^-58 above it", () => {
    fc.assert(
      fc.property(shares, (payments) => {
        const [sum, exact] = [sumShares(payments), exactSum(payments)];
        assert.ok(compareFractions(sum, exact) >= 0);
        assert.ok(compareFractions(sum, addFractions(exact, fraction(1n, 10n ** 58n))) <= 0);
      }),
    );
  });
  test("decides like exact fractions, and in the payer's favor only below 10^-39 of the link", () => {
    const tolerances = fc.record({
      underBps: fc.integer({ min: 0, max: 500 }),
      overBps: fc.integer({ min: 0, max: 500 }),
    });
    fc.assert(
      fc.property(shares, tolerances, (payments, tolerance) => {
        const exact = exactSum(payments);
        const { paid, overpaid } = evaluateTotal(payments, { ...EXACT, ...tolerance });
        const atLeast = (bps: number, slack: Fraction) =>
          compareFractions(addFractions(exact, slack), fraction(BigInt(10_000 + bps), 10_000n));
        const slack = fraction(1n, 10n ** 39n);
        if (atLeast(-tolerance.underBps, ZERO) >= 0) assert.equal(paid, true);
        if (atLeast(-tolerance.underBps, slack) < 0) assert.equal(paid, false);
        if (overpaid) assert.ok(atLeast(tolerance.overBps, ZERO) > 0);
      }),
    );
  });
  test("is exact at the edge of a tolerance, whatever the denominators of the parts", () => {
    const thirds = (numerators: readonly bigint[], amounts: readonly bigint[]) =>
      numerators.map((n, i) => ({ token: "usdt" as const, amount: n, fullAmount: amounts[i] ?? 1n }));
    const whole = thirds([10n ** 24n, 2n * 10n ** 24n], [3n * 10n ** 24n, 3n * 10n ** 24n + 0n]);
    assert.deepEqual(evaluateTotal(whole, EXACT), { paid: true, overpaid: false });
    const parts = thirds([10n ** 24n, 14n * 10n ** 24n], [3n * 10n ** 24n, 21n * 10n ** 24n]);
    assert.deepEqual(evaluateTotal(parts, EXACT), { paid: true, overpaid: false });
    // 1/3 + 0.995 - 1/3 and 1/3 + 1.005 - 1/3 of the link.
    const low = thirds([10n ** 24n, 397n * 10n ** 21n], [3n * 10n ** 24n, 600n * 10n ** 21n]);
    assert.equal(evaluateTotal(low, { ...EXACT, underBps: 50 }).paid, true);
    const high = thirds([10n ** 24n, 403n * 10n ** 21n], [3n * 10n ** 24n, 600n * 10n ** 21n]);
    assert.equal(evaluateTotal(high, { ...EXACT, overBps: 50 }).overpaid, false);
  });

  /** The processor time of the second run in milliseconds: a tenth of a second, garbage included. Exact fractions took minutes. */
  const timed = (run: () => void) => {
    run();
    const measured = measureTurns();
    run();
    return measured().total;
  };
  test("of 10,000 payments and of 2,000 different quotes takes less than a second", () => {
    const dust = Array.from({ length: 10_000 }, () => part(1n, usdt("100")));
    const quotes = Array.from({ length: 2_000 }, (_, i) => part(1n, usdt("100") + BigInt(i) * USDT_UNIT));
    for (const payments of [dust, quotes]) {
      assert.ok(timed(() => evaluateTotal(payments, { ...EXACT, underBps: 50, overBps: 50 })) < 1_000);
    }
  });
  test("of one payment more costs the same after 2,000 quotes as after none", () => {
    const sum = new ShareSum();
    const run = () => {
      for (let i = 0; i < 2_000; i++) {
        sum.add(part(1n, usdt("100") + BigInt(i) * USDT_UNIT));
        assert.equal(missing(usdt("100"), sum.share, "usdt") <= usdt("100"), true);
      }
    };
    assert.ok(timed(run) < 1_000);
  });
});

describe("the quote of a payment", () => {
  const terms = { amount: usdt("100"), asked: usdt("100") };
  const first = { id: 1, ...terms, validFrom: START, validUntil: minutes(START, 20) };
  const second = {
    id: 2,
    amount: usdt("110"),
    asked: usdt("110"),
    validFrom: minutes(START, 60),
    validUntil: minutes(START, 80),
  };
  const quotes = [second, first];
  const choose = (units: bigint, at: number, sum = ZERO) =>
    chooseQuote({ amount: units, token: "usdt", decimals: 6, seenAt: minutes(START, at) }, quotes, sum)?.id ??
    null;

  test("is the one that was live when the payment was first seen, if it equals the amount of none", () => {
    assert.equal(choose(usdt("1"), 0), 1);
    assert.equal(choose(usdt("1"), 19.99), 1);
    assert.equal(choose(usdt("100"), 60), 2);
  });
  test("is an expired one whose asked amount it equals exactly, up to fifteen minutes after its end", () => {
    assert.equal(choose(usdt("100"), 20), 1);
    assert.equal(choose(usdt("100"), 35), 1);
    assert.equal(choose(usdt("100"), 35.01), null);
    assert.equal(choose(usdt("100") + 1n, 20), null);
  });
  test("is an expired one whose missing amount it pays exactly", () => {
    assert.equal(choose(usdt("40"), 25, fraction(3n, 5n)), 1);
  });
  test("is an expired one that it pays exactly, also while another one is live", () => {
    const next = { ...second, validFrom: first.validUntil, validUntil: minutes(START, 40) };
    const chosen = (units: bigint, at: number) =>
      chooseQuote(
        { amount: units, token: "usdt", decimals: 6, seenAt: minutes(START, at) },
        [first, next],
        ZERO,
      )?.id;
    assert.equal(chosen(usdt("100"), 20.1), 1);
    assert.equal(chosen(usdt("100"), 35.1), 2, "a quarter of an hour later it is like any amount");
    assert.equal(chosen(usdt("110"), 20.1), 2);
    assert.equal(chosen(usdt("110"), 19.9), 2, "a block's clock may be behind");
    assert.equal(chosen(usdt("50"), 20.1), 2);
  });
  test("is one that starts after the payment if a block's clock is slow and the amount matches exactly", () => {
    assert.equal(choose(usdt("110"), 59), 2);
    assert.equal(choose(usdt("111"), 59), null);
  });
  test("does not depend on the order of the quotes", () => {
    for (const at of [0, 20, 25, 40, 59, 60, 90]) {
      const payment = {
        amount: usdt("100"),
        token: "usdt" as const,
        decimals: 6,
        seenAt: minutes(START, at),
      };
      assert.equal(chooseQuote(payment, quotes, ZERO), chooseQuote(payment, [...quotes].reverse(), ZERO));
    }
  });
});

describe("a new quote", () => {
  const link = { amount: 10_000n, currency: "usd" as const, expiresAt: minutes(START, 30) };
  const rate = { price: "2", source: "fixed", at: START };
  const made = (at: number, sum = ZERO) =>
    newQuote(link, "usdt", rate, { paidShare: sum, decimals: 6, now: minutes(START, at), quoteMinutes: 20 });

  test("lasts the configured minutes, or until the link's deadline", () => {
    assert.deepEqual(made(0).validUntil, minutes(START, 20));
    assert.deepEqual(made(15).validUntil, link.expiresAt);
  });
  test("for a late payment lasts the configured minutes", () => {
    assert.deepEqual(made(40).validUntil, minutes(START, 60));
  });
  test("asks for the missing amount", () => {
    const { amount: whole, asked } = made(0, fraction(1n, 4n));
    assert.equal(whole, usdt("50"));
    assert.equal(asked, usdt("75") / 2n);
  });
});
